/**
 * The interface between the node and an engine. An engine takes envelopes from the mempool, has blocks
 * executed, commits the decided ones, and settles every envelope that it took. `solo` is the engine of one
 * validator. See docs/decisions/015-executor-engines-and-threads.md for how engines run, and
 * 119-the-ledger-behind-cometbft.md for CometBFT.
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

/** An engine, or the proxy of one in another thread. */
export interface Consensus {
  start(): void;
  /** Finishes the ready envelopes of the mempool, then stops. Later submissions are unavailable. */
  stop(): Promise<void>;
  /** Hints that there may be a new block elsewhere. A follower polls at once. */
  poll(): void;
  /** Current, or as last reported by the engine's thread. */
  readonly status: EngineStatus;
  /** Moves blocks and time on demand. Only on a node that makes a laboratory's blocks. */
  readonly lab?: Lab | null;
}

/** Status of an engine: plain data that can cross threads. */
export interface EngineStatus {
  /** Problems that stop it now or soon. */
  issues: readonly HealthIssue[];
  /** True if the validators certified two histories; this node then stops. */
  halted: boolean;
  /** Why the clock dates no blocks, for the operator; null if it does, or if no blocks are made here. */
  clockFault: string | null;
  /** The address of the node that accepts writes; null if this node does. */
  writer: string | null;
  /** All trusted nodes that accept writes and answered last time, in the order in which to ask them. */
  writers: readonly string[];
  /** Progress of a follower; null if blocks are made here. */
  following: Following | null;
}

export interface Following {
  /** Blocks behind the furthest reliable origin; null while none answers. */
  behind: number | null;
  /** The last height that it reported. Kept after it falls silent; null before. */
  lastHeard: number | null;
  /** True if an origin confirms that this node is at the head, and no reliable one contradicts. */
  isCurrent: boolean;
  /** True once every active origin has reported its head. */
  hasHeardAll: boolean;
  /** The number of origins that are active, in backoff and banned. */
  origins: { active: number; backoff: number; banned: number };
}

/** Returns the status of an engine that makes its own blocks. */
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

/** Limits of a block's envelopes. They leave room for system transitions. */
export const BATCH_LIMITS = {
  count: MAX_BLOCK_TRANSITIONS - MAX_SYSTEM_TRANSITIONS,
  bytes: MAX_BLOCK_BYTES,
};
