/** What a follower's engine is told, and what it tells. */
import type { ForkEvidence } from '@netd/documents';
import type { Clock, Store, VerifierPool } from '@netd/engine';
import type { Genesis } from '@netd/protocol';
import type { Transport } from './transport.ts';
import type { AnchorBlock } from './trust-anchor.ts';

/** How far a follower is, whenever that changes. */
export interface FollowProgress {
  height: number;
  /** The height that its origins say. */
  target: number;
  /** Transitions since the start. */
  transitions: number;
}

export interface FollowerEvents {
  onProgress: (progress: FollowProgress) => void;
  /** Told the height from which on all blocks are here, whenever it falls. */
  onHistory: (from: number) => void;
  /** Told when an origin is not asked any more, and why. */
  onBan: (url: string, reason: string) => void;
  onFork: (evidence: ForkEvidence) => void;
  /** Told when an origin has answered or failed: what this says of itself may be otherwise now. */
  onAnswer?: () => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface FollowerConsensusOptions extends FollowerEvents {
  store: Store;
  clock: Clock;
  verifier: VerifierPool;
  genesis: Genesis;
  origins: readonly string[];
  /** Those of them that have lied already, and how. */
  liars: ReadonlyMap<string, string>;
  /** A block that the chain must have. */
  trustedBlock: AnchorBlock | undefined;
  /** Milliseconds for one answer of an origin. */
  originTimeout?: number | undefined;
  /** Default: HTTP. */
  transport?: Transport | undefined;
  /** Where evidence of a fork is kept. */
  forkPath: string;
  /** What is there from before. */
  fork: ForkEvidence | null;
}
