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

export interface Consensus {
  start(): void;
  stop(): Promise<void>;
  poll(): void;
  /** Replaces the nodes that a follower asks. Other engines lack it. */
  setOrigins?(origins: readonly string[]): void;
  readonly status: EngineStatus;
  /** Set only on a node that makes a laboratory's blocks. */
  readonly lab?: Lab | null;
}

export interface EngineStatus {
  issues: readonly HealthIssue[];
  /** True if the validators certified two histories. */
  halted: boolean;
  /** A sentence for the operator; null if blocks are dated or made elsewhere. */
  clockFault: string | null;
  /** URL of the node that accepts writes; null if this node does. */
  writer: string | null;
  /** Trusted nodes that answered last time, in the order in which to ask them. */
  writers: readonly string[];
  /** Null if blocks are made here. */
  following: Following | null;
  /** Null if CometBFT decides no blocks here. */
  validators: ValidatorFigures | null;
}

/** The validators' votes that this node has seen. */
export interface ValidatorFigures {
  /** CometBFT's newest decided height. */
  engineHeight: number;
  /** Number of decided heights that the counts below cover. */
  window: number;
  /** Number of the largest voting validators that can stop while blocks are still decided. */
  quorumMargin: number;
  validators: readonly ValidatorVotes[];
}

export interface ValidatorVotes {
  validatorId: string;
  votingPower: number;
  signed: number;
  missed: number;
  proposed: number;
  /** Header time in ISO 8601; null if this node saw no vote. */
  lastVote: string | null;
  isDown: boolean;
}

export interface Following {
  /** Number of blocks behind the furthest reliable origin; null while none answers. */
  behind: number | null;
  lastHeard: number | null;
  /** True if an origin confirms the head, and no reliable origin contradicts it. */
  isCurrent: boolean;
  /** True once every active origin has reported its head. */
  hasHeardAll: boolean;
  origins: { active: number; backoff: number; banned: number };
}

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
  validators: null,
});

/** Leaves room for system transitions in a block. */
export const BATCH_LIMITS = {
  count: MAX_BLOCK_TRANSITIONS - MAX_SYSTEM_TRANSITIONS,
  bytes: MAX_BLOCK_BYTES,
};
