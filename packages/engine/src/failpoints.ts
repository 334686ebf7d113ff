/** Moments at which a test can kill the process or make the disk fail. */
import type { BlockCommitter } from './chain/chain.ts';
import type { CheckpointFiles } from './chain/checkpoints.ts';
import type { Signer } from './chain/signer.ts';

export const FAILPOINTS = {
  'block.built': 'The block is executed in memory; nothing is written.',
  'block.certified': 'The certificate is signed; nothing is written.',
  'block.writing': 'The database transaction is about to begin.',
  'block.durable': 'The block is on disk; no sender has been answered.',
  'block.answered': 'The submitters have been answered.',
  'checkpoint.chunk': 'Some chunk files of a checkpoint are written, its manifest is not.',
  'checkpoint.finished': 'The checkpoint is complete on disk, not yet served.',
} as const;

/** For nodes that begin with a peer's state. The number after the @ is the progress of that part. */
const RESTORE_FAILPOINTS = {
  'restore.chunks': 'So many bytes of the state are here.',
  'restore.pairs': 'So many bytes of it are read and put in order.',
  'restore.tree': 'So many parts of its tree are written.',
  'restore.done': 'It has the certified root; CometBFT does not know yet.',
  'restore.taken': 'CometBFT has begun with it, and it is not in its place yet.',
  'restore.placed': 'It is in its place, and what says that it is under way is there still.',
} as const;

/** For a database that is converted. The number after the @ is the progress of that part. */
const CONVERT_FAILPOINTS = {
  'convert.copied': 'The old database is copied; the tables that changed are dropped in the copy.',
  'convert.blocks': 'The indexes of so many blocks are rebuilt.',
  'convert.nonces': 'The nonces are rebuilt.',
  'convert.tree': 'So many parts of the tree are rebuilt.',
  'convert.lists': 'So many entries of lists are rebuilt.',
  'convert.execute': 'Blocks up to this height are executed again.',
  'convert.converted': 'The new database is complete, beside the old one.',
  'convert.kept': 'The old database has a second name.',
  'convert.placed': 'The new database is in its place.',
  'convert.cleared': 'Nothing is left of the conversion but the old database.',
} as const;

/** For validators among several, beside FAILPOINTS. The number after the @ is the height. */
const DECISION_FAILPOINTS = {
  'decision.executed': 'FinalizeBlock has executed the block; CometBFT has no answer.',
  'decision.committing': 'CometBFT has the answer, and asks to commit.',
  'decision.committed': 'Commit is done: the block waits in memory for its certificate.',
} as const;

export type Failpoint = keyof typeof FAILPOINTS;
export type DecisionFailpoint = keyof typeof DECISION_FAILPOINTS;
type RestoreFailpoint = keyof typeof RESTORE_FAILPOINTS;
type ConvertFailpoint = keyof typeof CONVERT_FAILPOINTS;

const ALL = {
  ...FAILPOINTS,
  ...DECISION_FAILPOINTS,
  ...RESTORE_FAILPOINTS,
  ...CONVERT_FAILPOINTS,
};

/** Throws, kills the process, or returns. */
export type ReachFailpoint<Name = Failpoint> = (name: Name, height: number) => void;

export function signerWithFailpoints(signer: Signer, reach: ReachFailpoint): Signer {
  return {
    certify(statement, set) {
      if (statement.height === 0) return signer.certify(statement, set);
      reach('block.built', statement.height);
      const certificate = signer.certify(statement, set);
      reach('block.certified', statement.height);
      return certificate;
    },
  };
}

export function committerWithFailpoints(
  committer: BlockCommitter,
  reach: ReachFailpoint,
): BlockCommitter {
  return {
    async commitBlocks(blocks) {
      for (const { header } of blocks) reach('block.writing', header.height);
      await committer.commitBlocks(blocks);
      for (const { header } of blocks) reach('block.durable', header.height);
    },
  };
}

export function filesWithFailpoints(
  files: CheckpointFiles,
  reach: ReachFailpoint,
): CheckpointFiles {
  return {
    ...files,
    async writeChunk(draft, index, bytes) {
      await files.writeChunk(draft, index, bytes);
      reach('checkpoint.chunk', draft.height);
    },
    async publish(draft, checkpoint) {
      await files.publish(draft, checkpoint);
      reach('checkpoint.finished', draft.height);
    },
  };
}

/**
 * Parses NET_FAILPOINT, for example `block.durable@7`.
 * @throws Error if there is no such failpoint
 */
export function failpointFromPlan(
  plan: string | undefined,
): ReachFailpoint<Failpoint | DecisionFailpoint | RestoreFailpoint | ConvertFailpoint> {
  if (plan === undefined || plan === '') return () => {};
  const [name, height] = plan.split('@');
  if (!name || !Object.hasOwn(ALL, name)) throw new Error(`unknown failpoint ${plan}`);
  return (reached, at) => {
    if (reached === name && (height === undefined || Number(height) === at)) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
}
