import type { ForkEvidence } from '@netd/documents';
import type { Clock, Store } from '@netd/engine';
import type { Transport } from './transport.ts';

export interface PeerFeedEvents {
  onHistory: (from: number) => void;
  onBan: (url: string, reason: string) => void;
  onFork: (evidence: ForkEvidence) => void;
  onAnswer: () => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface PeerFeedOptions extends PeerFeedEvents {
  store: Store;
  clock: Clock;
  origins: readonly string[];
  liars: ReadonlyMap<string, string>;
  /** Milliseconds per answer. */
  originTimeout?: number | undefined;
  transport?: Transport | undefined;
  forkPath: string;
  fork: ForkEvidence | null;
}
