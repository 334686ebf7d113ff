/** A follower on a local port for one test. */
import type { TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import {
  type FollowerDir,
  type RunningNode,
  serveFollower,
  type ServeFollowerOptions,
} from '@netd/node';
import { tempDir } from './temp-dir.ts';

export type RunningFollower = RunningNode<FollowerDir>;

/** Starts it in its own directory unless the options name one; stops it after the test. */
export async function startFollower(
  t: Pick<TestContext, 'after'>,
  origins: string[],
  options: Partial<ServeFollowerOptions> = {},
): Promise<RunningFollower> {
  const follower = await serveFollower({
    host: '127.0.0.1',
    port: 0,
    dataDir: tempDir(t),
    origins,
    ...options,
  });
  t.after(() => follower.stop());
  return follower;
}

/** Waits until the follower has the block of this height. */
export const hasReached = async (follower: RunningFollower, height: number): Promise<void> => {
  await until(() => follower.node.chain.height >= height);
};
