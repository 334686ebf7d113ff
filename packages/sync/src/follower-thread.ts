import type { Genesis } from '@netd/protocol';
import { EngineThread, type FollowProgress, type ThreadData } from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import type { AnchorBlock } from './trust-anchor.ts';

export interface FollowerData extends ThreadData {
  storePath: string;
  genesis: Genesis;
  origins: readonly string[];
  liars: ReadonlyMap<string, string>;
  trustedBlock: AnchorBlock | undefined;
  originTimeout: number | undefined;
  forkPath: string;
  fork: ForkEvidence | null;
  failpoint: string | undefined;
}

export type FollowerNews =
  | { is: 'progress'; progress: FollowProgress }
  | { is: 'history'; from: number }
  | { is: 'ban'; url: string; reason: string }
  | { is: 'fork'; evidence: ForkEvidence };

const WORKER = new URL('follower-worker.ts', import.meta.url);

export const followerThread = (data: FollowerData): EngineThread<FollowerNews> =>
  new EngineThread({ file: WORKER, name: 'follower', youngMegabytes: 12, data });
