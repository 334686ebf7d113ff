/** Simulates followers for several seeds and sums the figures. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  simulateFollowers,
  type FollowersOptions,
  type FollowersReport,
} from './simulation/followers.ts';
import { tempDir } from './temp-dir.ts';

const STEPS = 45;

/** @returns the sum of a figure over all seeds */
export async function followerSimulations(
  t: TestContext,
  seeds: readonly number[],
  options: Pick<FollowersOptions, 'liar' | 'checkpoints'>,
): Promise<(of: (report: FollowersReport) => number) => number> {
  const directory = tempDir(t);
  const reports: FollowersReport[] = [];
  for (const seed of seeds) {
    const path = join(directory, String(seed));
    reports.push(await simulateFollowers({ seed, steps: STEPS, path, ...options }));
  }
  return (of) => reports.reduce((total, report) => total + of(report), 0);
}
