/** A follower on a port of this machine, for one test. */
import type { TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import {
  type FollowerDir,
  type RunningNode,
  serveFollower,
  type ServeFollowerOptions,
} from '@netd/node';
import { tempDir } from './temp-dir.ts';

export type Copy = RunningNode<FollowerDir>;

/** In a directory of its own unless the options name one; stopped with the test. */
export async function startCopy(
  t: Pick<TestContext, 'after'>,
  origins: string[],
  options: Partial<ServeFollowerOptions> = {},
): Promise<Copy> {
  const copy = await serveFollower({
    host: '127.0.0.1',
    port: 0,
    dataDir: tempDir(t),
    origins,
    ...options,
  });
  t.after(() => copy.stop());
  return copy;
}

/** Waits until the copy has the block of that height. */
export const hasReached = async (copy: Copy, height: number): Promise<void> => {
  await until(() => copy.node.chain.height >= height);
};
