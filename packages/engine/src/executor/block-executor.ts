/**
 * Executes blocks for production, replay and followers, without clock, timers, or I/O except reads of state.
 * A candidate counts once the store holds it and `commit` is called. Several may have the same predecessor.
 */
import {
  BlockExecution,
  hasDueWork,
  requireKnownRules,
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

export interface OpenBlock {
  parent: Tip;
  context: BlockContext;
  execution: BlockExecution;
  proposerId: string;
}

export interface CandidateBlock extends SealedBlock {
  tip: Tip;
  state: StateOverlay;
}

const MAX_CANDIDATES = 4;
/** One block is being written and one executed. The tree can undo as many. */
const MAX_BRANCH = 2;

export class BlockExecutor {
  readonly identity: ChainIdentity;
  tree: StateTree;
  private readonly store: StateReader;
  private readonly maxBranch: number;
  private committed: Tip;
  private readonly candidates = new Map<string, CandidateBlock>();
  private inTree: CandidateBlock[] = [];

  /** @param parts store and tree hold the state of the head; the tree can undo `maxBranch` blocks */
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

  /** @throws StoreError if the tree in the store does not lead to the state root of its head */
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

  get newest(): Tip {
    let newest = this.committed;
    for (const { tip } of this.candidates.values()) newest = tip;
    return newest;
  }

  /** @throws Error if the block is neither a candidate nor the committed head */
  stateAfter({ blockHash, height }: Tip): StateReader {
    const candidate = this.candidates.get(blockHash);
    if (candidate) return candidate.state;
    if (blockHash === this.committed.blockHash) return this.store;
    throw new Error(`block ${height} (${blockHash}) is neither the head nor a candidate`);
  }

  /** @param height default: the one after the parent; lower ones work too */
  validatorSetAfter(parent: Tip, height = parent.height + 1): ValidatorSet {
    const { genesisSet, setChanges } = this.identity;
    if (!setChanges) return genesisSet;
    return validatorSetAt(new StateOverlay(this.stateAfter(parent)), height) ?? genesisSet;
  }

  /** @param time milliseconds since 1970; raised to at least 1 ms after the parent's */
  open(parent: Tip, time: number, proposerId = this.identity.proposerId): OpenBlock {
    const context = nextContext(parent, time);
    const execution = new BlockExecution(this.stateAfter(parent), context, parent);
    return { parent, context, execution, proposerId };
  }

  /** @throws UnknownRulesError if this code lacks the rules of the block after the newest */
  requireRules(): void {
    const { newest } = this;
    requireKnownRules(new StateOverlay(this.stateAfter(newest)), newest.height + 1);
  }

  /** Executes a submission without due work, so it costs one transition. Keeps nothing. */
  checkTx(submission: Submission, time: number): Outcome {
    const { newest } = this;
    return dryExecution(this.stateAfter(newest), newest, time).execute(submission);
  }

  hasDueWork(parent: Tip, time: number): boolean {
    return hasDueWork(this.stateAfter(parent), nextContext(parent, time));
  }

  /**
   * @throws Error if an invariant of the ledger is broken, StoreError if the tree on disk does not match the
   * head
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
   * Call it after blocks were reverted.
   * @throws StoreError if the tree in the store does not lead to the state root of the head
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

  /** Discards rivals of a block. Call it before writing a block that had any. */
  keepBranch(hash: string): void {
    const block = this.require(hash);
    const branch = this.branchTo(block.tip);
    for (const other of this.candidates.values()) {
      if (branch.includes(other) || this.branchTo(other.tip).includes(block)) continue;
      this.discard(other.hash);
    }
    if (!this.inTree.includes(block)) this.moveTree(branch);
  }

  /** Call it when the store holds this candidate. Discards candidates that do not build on it. */
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
    for (const { write, state } of this.candidates.values()) {
      if (write.header.previousBlockHash === hash) state.rebase(this.store);
    }
  }

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

  private branchTo(tip: Tip): CandidateBlock[] {
    const branch: CandidateBlock[] = [];
    let block = this.candidates.get(tip.blockHash);
    while (block) {
      branch.push(block);
      block = this.candidates.get(block.write.header.previousBlockHash);
    }
    return branch.reverse();
  }

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

  private makeRoomBeside(branch: CandidateBlock[]): void {
    if (branch.length === this.maxBranch)
      throw new Error(`${branch.length} blocks wait to be written already`);
    if (this.candidates.size < MAX_CANDIDATES) return;
    const oldest = [...this.candidates.values()].find((block) => !branch.includes(block));
    if (oldest) this.discard(oldest.hash);
  }
}
