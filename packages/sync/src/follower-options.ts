/** What brings a follower its blocks is told, and what it tells. */
import type { ForkEvidence } from '@netd/documents';
import type { Clock, Store } from '@netd/engine';
import type { Transport } from './transport.ts';

export interface PeerFeedEvents {
  /** Told the height from which on all blocks are here, whenever it falls. */
  onHistory: (from: number) => void;
  /** Told when an origin is not asked any more, and why. */
  onBan: (url: string, reason: string) => void;
  onFork: (evidence: ForkEvidence) => void;
  /** Told when an origin has answered or failed: what this says of itself may be otherwise now. */
  onAnswer: () => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface PeerFeedOptions extends PeerFeedEvents {
  store: Store;
  clock: Clock;
  origins: readonly string[];
  /** Those of them that have lied already, and how. */
  liars: ReadonlyMap<string, string>;
  /** Milliseconds for one answer of an origin. */
  originTimeout?: number | undefined;
  /** Default: HTTP. */
  transport?: Transport | undefined;
  /** Where evidence of a fork is kept. */
  forkPath: string;
  /** What is there from before. */
  fork: ForkEvidence | null;
}
