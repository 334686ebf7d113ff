/**
 * Finds test files, their tiers, and batches. The name gives the tier: `x.test.ts` and `x.prop.test.ts` for `npm
 * test`, `x.http.test.ts` and `x.slow.test.ts` for `npm run test:slow`, `x.campaign.test.ts` for `npm run
 * test:campaign`. An http file starts servers in its own process, which it shares with others. The campaign also
 * runs every case of http, slow and prop files (`@netd/protocol/testing`, sample.ts).
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
/** Files per process. More save little. */
const BATCH = 24;
/** Expected seconds per process. A longer one would run alone at the end, and leave a core idle. */
const BATCH_SECONDS = 120;

/** Seconds: slower files are left out before a commit. */
const UNIT_LIMIT = 1;
/** Expected seconds of a file without a record. A slow one may be the longest: if it starts last, it runs alone. */
const UNKNOWN_ALONE = 100;
const UNKNOWN_TOGETHER = 0.5;

export const isSlow = (file: string): boolean => /\.(http|slow|campaign)\.test\./.test(file);
export const isHttp = (file: string): boolean => file.includes('.http.test.');
const isCampaign = (file: string): boolean => file.includes('.campaign.test.');
const isProp = (file: string): boolean => file.includes('.prop.test.');
/** True if it runs in a process of its own. */
const isAlone = (file: string): boolean => /\.(slow|campaign)\.test\./.test(file);

/**
 * @param parts selects files of every tier whose path contains one of them
 * @param times of the last `npm test`
 * @returns paths from the root
 */
export function testFiles(tier: Tier, parts: readonly string[], times: Times): string[] {
  const all = globSync(GLOBS)
    .filter((file) => !file.split(sep).includes('node_modules'))
    .toSorted();
  if (parts.length > 0) return all.filter((file) => parts.some((part) => file.includes(part)));
  return all.filter((file) => {
    if (tier === 'slow') return isSlow(file) && !isCampaign(file);
    if (tier === 'campaign') return isSlow(file) || isProp(file);
    if (tier === 'quick') return !isSlow(file);
    return !isSlow(file) && !isProp(file) && (times[file] ?? 0) <= UNIT_LIMIT;
  });
}

/** Returns files by process, longest first if known. */
export function batchesOf(files: readonly string[], times: Times): string[][] {
  const secondsOf = (file: string): number =>
    times[file] ?? (isAlone(file) ? UNKNOWN_ALONE : UNKNOWN_TOGETHER);
  const weightOf = (batch: readonly string[]): number =>
    batch.reduce((sum, file) => sum + secondsOf(file), 0);
  const alone = files.filter(isAlone);
  const rooms = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    (file) => file.split(sep, 2).join(sep),
  );
  const together = [...rooms.values()].flatMap((inRoom) => {
    const count = Math.ceil(Math.max(inRoom.length / BATCH, weightOf(inRoom) / BATCH_SECONDS));
    // Dealt round-robin from the longest, to balance the batches.
    const dealt = inRoom.toSorted((a, b) => secondsOf(b) - secondsOf(a));
    return Array.from({ length: count }, (_, batch) =>
      dealt.filter((_file, index) => index % count === batch),
    );
  });
  return [...alone.map((file) => [file]), ...together].toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
}
