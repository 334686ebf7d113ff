/**
 * The seam for engines that agree on blocks. An engine takes from the mempool (or hands on what is in there), has
 * blocks executed, commits those that are decided, and settles every envelope it took. `solo` is the engine of one
 * validator; what another one plugs in where, says docs/decisions/015-executor-and-consensus.md.
 */
import { MAX_SYSTEM_TRANSITIONS } from '@netd/ledger';
import { MAX_BLOCK_BYTES, MAX_BLOCK_TRANSITIONS } from '@netd/protocol';
import type { Chain, ChainHead } from '../chain/chain.ts';
import type { BlockExecutor } from '../executor/block-executor.ts';
import type { HealthIssue } from '../health-issue.ts';
import type { Lab } from './lab.ts';
import type { Mempool } from '../mempool/mempool.ts';

export interface ConsensusParts {
  chain: Chain;
  executor: BlockExecutor;
  mempool: Mempool;
}

/** A chain that is open, and what makes its blocks. */
export interface OpenedChain {
  chain: ChainHead;
  mempool: Mempool;
  consensus: Consensus;
}

export interface Consensus {
  start(): void;
  /** Finishes what is ready in the mempool, then stops. Whatever is submitted from now on is unavailable. */
  stop(): Promise<void>;
  /** There may be a block elsewhere that is not here yet: whoever follows asks now. */
  poll(): void;
  /** What keeps it from going on; empty where nothing does. */
  issues(): HealthIssue[];
  /** Whether the validators have certified two histories, and this node goes no further. */
  readonly halted: boolean;
  /** Where writes are taken if they are not taken here: the address of another node. */
  readonly writer: string | null;
  /** All such nodes that are believed and answered when they were last asked, in the order in which to ask them. */
  readonly writers: readonly string[];
  /** How far a node that follows others is; null where blocks are made here. */
  readonly following: Following | null;
  /** What moves blocks and time on demand; of a laboratory, where its blocks are made. */
  readonly lab?: Lab | null;
}

/** What an engine says whose blocks come from nowhere else. */
export abstract class OwnBlocks {
  readonly writer = null;
  readonly writers = [];
  readonly following = null;
  readonly halted = false;
  readonly lab: Lab | null = null;

  poll(): void {}

  /** What is wrong with the clock, in sentences for the operator. */
  abstract faults(): string[];

  issues(): HealthIssue[] {
    return this.faults().map((text) => ({ kind: 'clock', text }));
  }
}

export interface Following {
  /** Heights between this node and the furthest of its reliable origins, as that one says; null while none answers. */
  behind: number | null;
  /** The height that it said last, also after it has fallen silent; null before. */
  lastHeard: number | null;
  /** How many origins are asked, rest after a failure, and are not believed any more. */
  origins: { active: number; backoff: number; banned: number };
}

/** What goes into one block at most: there is room left for whatever is due by itself. */
export const BATCH_LIMITS = {
  count: MAX_BLOCK_TRANSITIONS - MAX_SYSTEM_TRANSITIONS,
  bytes: MAX_BLOCK_BYTES,
};
