/**
 * Which test files there are, which of them belong to `npm test`, and which share a process.
 *
 * The name of a file says where it belongs: `x.test.ts` and `x.prop.test.ts` to `npm test`, `x.slow.test.ts` to
 * `npm run test:slow`, `x.campaign.test.ts` to `npm run test:campaign`. No file belongs to two of them; a campaign also runs the
 * slow and the prop files, with every case and play (`@netd/protocol/testing`, sample.ts).
 */
import { globSync } from 'node:fs';
import { sep } from 'node:path';
import type { Tier, Times } from './times.ts';

const GLOBS = [
  'packages/*/src/**/*.test.ts',
  'clients/**/*.test.mjs',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
  'conformance/**/*.test.ts',
];
/** Files of one process: more save little, and what comes last would leave a core without work. */
const BATCH = 12;

/** Seconds: a file that took more in `npm test` is too much before every commit. */
const UNIT_LIMIT = 1;
/** Seconds that a file is expected to take until it has been run. */
const UNKNOWN_ALONE = 10;
const UNKNOWN_TOGETHER = 0.5;

export const isSlow = (file: string): boolean => /\.(slow|campaign)\.test\./.test(file);
const isCampaign = (file: string): boolean => file.includes('.campaign.test.');
/** True if it runs in a process of its own. */
const isAlone = (file: string): boolean => /\.(slow|prop|campaign)\.test\./.test(file);

/**
 * @param parts of paths: only files that hold one of them, of every tier
 * @param times of the last `npm test`
 * @returns paths below the root of the repository
 */
export function testFiles(tier: Tier, parts: readonly string[], times: Times): string[] {
  const all = globSync(GLOBS)
    .filter((file) => !file.split(sep).includes('node_modules'))
    .toSorted();
  if (parts.length > 0) return all.filter((file) => parts.some((part) => file.includes(part)));
  return all.filter((file) => {
    if (tier === 'slow') return isSlow(file) && !isCampaign(file);
    if (tier === 'campaign') return isAlone(file);
    if (tier === 'quick') return !isSlow(file);
    return !isAlone(file) && (times[file] ?? 0) <= UNIT_LIMIT;
  });
}

/** Those that run in one process, longest first as far as that is known. */
export function batchesOf(files: readonly string[], times: Times): string[][] {
  const alone = files.filter(isAlone);
  const rooms = Map.groupBy(
    files.filter((file) => !alone.includes(file)),
    (file) => file.split(sep, 2).join(sep),
  );
  const together = [...rooms.values()].flatMap((inRoom) => {
    const count = Math.ceil(inRoom.length / BATCH);
    // Dealt like cards: neighbours have much the same weight.
    return Array.from({ length: count }, (_, batch) =>
      inRoom.filter((_file, index) => index % count === batch),
    );
  });
  const weightOf = (batch: readonly string[]): number =>
    batch.reduce((sum, file) => {
      return sum + (times[file] ?? (isAlone(file) ? UNKNOWN_ALONE : UNKNOWN_TOGETHER));
    }, 0);
  return [...alone.map((file) => [file]), ...together].toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
}
