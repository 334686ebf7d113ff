/** What the thread that takes the blocks of a copy and the one that everybody reads from tell each other, in order both ways. */
import type { Genesis } from '@netd/protocol';
import type { EngineStatus, ErrorText, Tip } from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import type { FollowProgress } from './follower-options.ts';
import type { AnchorBlock } from './trust-anchor.ts';

/** What the thread starts with. */
export interface FollowerData {
  /** Of the database. */
  storePath: string;
  genesis: Genesis;
  /** What the database was left at. */
  head: Tip;
  origins: readonly string[];
  /** Those of them that have lied already, and how. */
  liars: ReadonlyMap<string, string>;
  trustedBlock: AnchorBlock | undefined;
  originTimeout: number | undefined;
  forkPath: string;
  fork: ForkEvidence | null;
  /** As in NET_FAILPOINT. */
  failpoint: string | undefined;
}

export type ToFollower =
  /** Take blocks from now on. */
  | { is: 'start' }
  /** There may be a block that is not here yet. */
  | { is: 'look' };

export type FromFollower =
  /** The chain is open, and waits for the start. */
  | { is: 'open' }
  | {
      is: 'block';
      head: Tip;
      height: number;
      transitionCount: number;
      /** State keys of which somebody may keep the record; with the first block of those that were written together. */
      changed: string[];
    }
  | { is: 'status'; status: EngineStatus }
  | { is: 'progress'; progress: FollowProgress }
  | { is: 'history'; from: number }
  | { is: 'drop'; url: string; reason: string }
  | { is: 'fork'; evidence: ForkEvidence }
  | { is: 'block-failure'; error: ErrorText; height: number }
  /** The chain could not be opened, or goes no further. */
  | { is: 'halted'; error: ErrorText };
