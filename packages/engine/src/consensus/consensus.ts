/**
 * The seam for engines that agree on blocks. An engine takes from the mempool (or hands on what is in there), has
 * blocks executed, commits those that are decided, and settles every envelope it took. `solo` is the engine of one
 * validator; how any engine is run, says docs/decisions/015-executor-engines-and-threads.md; how CometBFT fits in, 119-the-ledger-behind-cometbft.md.
 */
import { MAX_SYSTEM_TRANSITIONS } from '@netd/ledger';
import { MAX_BLOCK_BYTES, MAX_BLOCK_TRANSITIONS } from '@netd/protocol';
import type { Chain } from '../chain/chain.ts';
import type { BlockExecutor } from '../executor/block-executor.ts';
import type { HealthIssue } from '../health-issue.ts';
import type { Lab } from './lab.ts';
import type { Mempool } from '../mempool/mempool.ts';

export interface ConsensusParts {
  chain: Chain;
  executor: BlockExecutor;
  mempool: Mempool;
}

/** An engine, and what stands for it in another thread: it runs or not, may be told to look for a block, and has one status. */
export interface Consensus {
  start(): void;
  /** Finishes what is ready in the mempool, then stops. Whatever is submitted from now on is unavailable. */
  stop(): Promise<void>;
  /** There may be a block elsewhere that is not here yet: an engine that takes the blocks of others asks now. */
  poll(): void;
  /** As it is now, or as its thread last told it. */
  readonly status: EngineStatus;
  /** What moves blocks and time on demand; of a laboratory, where its blocks are made. */
  readonly lab?: Lab | null;
}

/** All that an engine says of itself: plain data, the same in its own thread and in the one that answers for it. */
export interface EngineStatus {
  /** What keeps it from going on, or may soon; empty where nothing does. */
  issues: readonly HealthIssue[];
  /** Whether the validators have certified two histories, and this node goes no further. */
  halted: boolean;
  /** Why the clock dates no blocks, in a sentence for the operator; null where it does, or none are made here. */
  clockFault: string | null;
  /** The address of the node that takes writes; null where they are taken here. */
  writer: string | null;
  /** All such nodes that are believed and answered when they were last asked, in the order in which to ask them. */
  writers: readonly string[];
  /** How far a node that takes the blocks of others is; null where blocks are made here. */
  following: Following | null;
}

export interface Following {
  /** Heights between this node and the furthest of its reliable origins, as that one says; null while none answers. */
  behind: number | null;
  /** The height that it said last, also after it has fallen silent; null before. */
  lastHeard: number | null;
  /** Whether an origin confirms that this node is where the chain is, and no reliable one says otherwise. */
  isCurrent: boolean;
  /** Whether every origin that may be asked has said how far it is. */
  hasHeardAll: boolean;
  /** How many origins are asked, wait after a failure, and are not believed any more. */
  origins: { active: number; backoff: number; banned: number };
}

/** Of an engine whose blocks come from nowhere else. */
export const ownBlocksStatus = (
  issues: readonly HealthIssue[] = [],
  clockFault: string | null = null,
): EngineStatus => ({
  issues,
  halted: false,
  clockFault,
  writer: null,
  writers: [],
  following: null,
});

/** What goes into one block at most: there is room left for whatever is due by itself. */
export const BATCH_LIMITS = {
  count: MAX_BLOCK_TRANSITIONS - MAX_SYSTEM_TRANSITIONS,
  bytes: MAX_BLOCK_BYTES,
};
