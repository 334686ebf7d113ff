import type { ForkEvidence } from '@netd/documents';
import type { Clock, Store } from '@netd/engine';
import type { Transport } from './transport.ts';

export interface PeerFeedEvents {
  /** Called with the first height of the complete history, whenever it falls. */
  onHistory: (from: number) => void;
  /** Called when an origin is banned. */
  onBan: (url: string, reason: string) => void;
  onFork: (evidence: ForkEvidence) => void;
  /** Called when an origin answered or failed, so the status may have changed. */
  onAnswer: () => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface PeerFeedOptions extends PeerFeedEvents {
  store: Store;
  clock: Clock;
  origins: readonly string[];
  /** Origins that have lied before, with the reason. */
  liars: ReadonlyMap<string, string>;
  /** Milliseconds for one answer of an origin. */
  originTimeout?: number | undefined;
  /** Default: HTTP. */
  transport?: Transport | undefined;
  /** The file for evidence of a fork. */
  forkPath: string;
  /** Evidence from an earlier run. */
  fork: ForkEvidence | null;
}
