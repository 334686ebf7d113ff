/**
 * The one way a block comes about: opened on a predecessor at a time, executed, sealed. Live production, replay, a
 * follower or another consensus engine differ only in who calls this. No clock, no timers,
 * no I/O beyond reading state.
 *
 * A sealed block is a candidate, known by its hash: nothing of it is in the committed state until the store holds it
 * and `commit` says so. Candidates may stand on candidates, and several on the same predecessor.
 */
import {
  BlockExecution,
  hasDueWork,
  type BlockContext,
  type Outcome,
  StateOverlay,
  validatorSetAt,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import type { ValidatorSet } from '@netd/protocol';
import { StateTree, type TreeSource } from '../store/tree/state-tree.ts';
import type { ChainIdentity } from './chain-identity.ts';
import { sealBlock, type SealedBlock } from './seal-block.ts';
import { dryExecution } from './dry-execution.ts';
import { nextContext, tipOf, type Tip } from './tip.ts';

/** A block that is being executed; drop it, or seal it. */
export interface OpenBlock {
  parent: Tip;
  context: BlockContext;
  execution: BlockExecution;
  proposerId: string;
}

export interface CandidateBlock extends SealedBlock {
  tip: Tip;
  /** The executed state. */
  state: StateOverlay;
}

/** Candidates kept at once: the proposals of a few rounds. */
const MAX_CANDIDATES = 4;
/** Candidates on top of each other, by default: one being written and one executed meanwhile. The tree can go back as far. */
const MAX_BRANCH = 2;

export class BlockExecutor {
  readonly identity: ChainIdentity;
  /** Holds the state of the last candidate that was sealed, and can go back to the committed one. */
  tree: StateTree;
  private readonly store: StateReader;
  private readonly maxBranch: number;
  private committed: Tip;
  private readonly candidates = new Map<string, CandidateBlock>();
  /** The candidates whose changes are in the tree, each on top of the one before. */
  private inTree: CandidateBlock[] = [];

  /** @param parts store and tree hold the state of the head; the tree can go back `maxBranch` blocks */
  constructor(parts: {
    identity: ChainIdentity;
    store: StateReader;
    tree: StateTree;
    head: Tip;
    maxBranch?: number;
  }) {
    this.identity = parts.identity;
    this.tree = parts.tree;
    this.store = parts.store;
    this.committed = parts.head;
    this.maxBranch = parts.maxBranch ?? MAX_BRANCH;
  }

  /**
   * @param maxBranch candidates on top of each other, at most
   * @throws StoreError where the tree in the store does not lead to the state root of its head
   */
  static load(
    identity: ChainIdentity,
    store: StateReader & TreeSource,
    head: Tip,
    maxBranch = MAX_BRANCH,
  ): BlockExecutor {
    const tree = new StateTree(store, maxBranch);
    tree.open(head);
    return new BlockExecutor({ identity, store, tree, head, maxBranch });
  }

  /** The last sealed candidate that still stands, else the committed head. */
  get newest(): Tip {
    let newest = this.committed;
    for (const { tip } of this.candidates.values()) newest = tip;
    return newest;
  }

  /**
   * The state after a candidate or the committed head.
   * @throws Error where the block is neither
   */
  stateAfter({ blockHash, height }: Tip): StateReader {
    const candidate = this.candidates.get(blockHash);
    if (candidate) return candidate.state;
    if (blockHash === this.committed.blockHash) return this.store;
    throw new Error(`block ${height} (${blockHash}) is neither the head nor a candidate`);
  }

  /**
   * The validators that certify a block.
   * @param parent a candidate or the committed head, whose state knows them
   * @param height by default the one after the parent; lower ones too
   */
  validatorSetAfter(parent: Tip, height = parent.height + 1): ValidatorSet {
    const { genesisSet, setChanges } = this.identity;
    if (!setChanges) return genesisSet;
    return validatorSetAt(new StateOverlay(this.stateAfter(parent)), height) ?? genesisSet;
  }

  /**
   * Opens the block after `parent`, a candidate or the committed head; what is due by itself is executed at once.
   * @param time milliseconds since 1970; the block's own is at least one later than its predecessor's
   * @param proposerId the validator that proposed it
   */
  open(parent: Tip, time: number, proposerId = this.identity.proposerId): OpenBlock {
    const context = nextContext(parent, time);
    const execution = new BlockExecution(this.stateAfter(parent), context, parent);
    return { parent, context, execution, proposerId };
  }

  /**
   * What one envelope would meet in the block after the newest one. It costs one transition, however much is due there: that is
   * left alone, and of the rest nothing is kept.
   */
  checkTx(submission: Submission, time: number): Outcome {
    const { newest } = this;
    return dryExecution(this.stateAfter(newest), newest, time).execute(submission);
  }

  /** Whether the block after `parent` would open with something that is due by itself. */
  hasDueWork(parent: Tip, time: number): boolean {
    return hasDueWork(this.stateAfter(parent), nextContext(parent, time));
  }

  /**
   * Ends the execution.
   * @throws Error where an invariant of the ledger is broken, StoreError where the tree on disk is not that of the
   *   head; there is no candidate then
   */
  seal({ parent, context, execution, proposerId }: OpenBlock): CandidateBlock {
    const executed = execution.finish();
    const branch = this.branchTo(parent);
    this.makeRoomBeside(branch);
    this.moveTree(branch);
    const writes = this.tree.update(executed.changes, context.height);
    const stateRoot = this.tree.root;
    const sealed = sealBlock({
      identity: { ...this.identity, proposerId },
      validatorSetHash: this.validatorSetAfter(parent).validatorSetHash,
      context,
      executed,
      stateRoot,
      tree: writes,
    });
    const tip = tipOf(sealed.write.header, sealed.hash);
    const candidate = { ...sealed, tip, state: executed.state };
    this.candidates.set(sealed.hash, candidate);
    this.inTree.push(candidate);
    return candidate;
  }

  /**
   * Blocks of the store were taken back: goes on from the head that it has now.
   * @param store as it was loaded from
   * @throws StoreError where the tree in the store does not lead to the state root of the head
   */
  returnTo(head: Tip, store: TreeSource): void {
    const tree = new StateTree(store, this.maxBranch);
    tree.open(head);
    this.candidates.clear();
    this.inTree = [];
    this.tree = tree;
    this.committed = head;
  }

  has(hash: string): boolean {
    return this.candidates.has(hash);
  }

  /**
   * Keeps of all candidates those that stand on this one or under it. To be called before a block that had rivals is
   * written: the tree moves to it over records of its predecessor.
   */
  keepBranch(hash: string): void {
    const block = this.require(hash);
    const branch = this.branchTo(block.tip);
    for (const other of this.candidates.values()) {
      if (branch.includes(other) || this.branchTo(other.tip).includes(block)) continue;
      this.discard(other.hash);
    }
    if (!this.inTree.includes(block)) this.moveTree(branch);
  }

  /** The store holds this candidate now: it is the head. What does not stand on it is gone. */
  commit(hash: string): void {
    const block = this.require(hash);
    if (block.write.header.previousBlockHash !== this.committed.blockHash) {
      throw new Error(`block ${hash} does not follow block ${this.committed.height}`);
    }
    this.keepBranch(hash);
    this.candidates.delete(hash);
    this.inTree = this.inTree.filter((other) => other !== block);
    this.tree.forgetBefore(this.committed.height);
    this.committed = block.tip;
    // What was executed on its memory meanwhile reads the same from the store now.
    for (const { write, state } of this.candidates.values()) {
      if (write.header.previousBlockHash === hash) state.rebase(this.store);
    }
  }

  /** Drops a candidate and all that stand on it. */
  discard(hash: string): void {
    const block = this.candidates.get(hash);
    if (!block) return;
    const above = [...this.candidates.values()].filter(({ tip }) =>
      this.branchTo(tip).includes(block),
    );
    for (const fallen of above) this.candidates.delete(fallen.hash);
    const at = this.inTree.indexOf(block);
    if (at >= 0) this.moveTree(this.inTree.slice(0, at));
  }

  private require(hash: string): CandidateBlock {
    const block = this.candidates.get(hash);
    if (!block) throw new Error(`block ${hash} is not a candidate`);
    return block;
  }

  /** The candidates from the committed head to this block, oldest first. */
  private branchTo(tip: Tip): CandidateBlock[] {
    const branch: CandidateBlock[] = [];
    let block = this.candidates.get(tip.blockHash);
    while (block) {
      branch.push(block);
      block = this.candidates.get(block.write.header.previousBlockHash);
    }
    return branch.reverse();
  }

  /** Brings the tree to the state after a branch of candidates: back to where it parts from the one it holds, then on. */
  private moveTree(branch: CandidateBlock[]): void {
    const parting = this.inTree.findIndex((block, index) => block !== branch[index]);
    if (parting >= 0) {
      this.inTree.length = parting;
      this.tree.undoTo((this.inTree.at(-1)?.tip ?? this.committed).height);
    }
    for (const block of branch.slice(this.inTree.length)) {
      this.tree.update(block.write.changes, block.tip.height);
      this.inTree.push(block);
    }
  }

  /** Of too many candidates the oldest one goes that the new one does not stand on. */
  private makeRoomBeside(branch: CandidateBlock[]): void {
    if (branch.length === this.maxBranch)
      throw new Error(`${branch.length} blocks wait to be written already`);
    if (this.candidates.size < MAX_CANDIDATES) return;
    const oldest = [...this.candidates.values()].find((block) => !branch.includes(block));
    if (oldest) this.discard(oldest.hash);
  }
}
