/**
 * Writes `scripts/test/known-times.json`, the slow test files for a fresh clone, from this clone's times. Run it
 * after `npm test` and `npm run test:slow` on a quiet machine. A renamed slow file counts as long until then.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { readTimes } from './test/times.ts';

/** Seconds. Shorter files need no entry. */
const WORTH_KNOWING = { quick: 1, slow: 10 } as const;

const known = Object.entries(WORTH_KNOWING).map(([tier, least]) => {
  const slow = Object.entries(readTimes(tier === 'slow' ? 'slow' : 'quick'))
    .filter(([file, seconds]) => seconds > least && existsSync(file))
    .map(([file, seconds]) => [file, Math.ceil(seconds)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [tier, Object.fromEntries(slow)] as const;
});
writeFileSync(
  new URL('test/known-times.json', import.meta.url),
  `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`,
);
