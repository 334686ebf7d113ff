/**
 * If the disk fills during a write, lmdb 3.5.6 overflows a buffer and may crash the process. So free space is
 * checked first, in three microseconds. Reaching a quota can still crash it, but loses nothing acknowledged.
 */
import { statfsSync } from 'node:fs';

/** A full block in a large state needs this much: 1,500 intents change seven pages each. */
export const LEAST_FREE_BYTES = 67_108_864;

/**
 * True also if the file system reports no size.
 * @throws Error ENOENT if the directory was removed
 */
export function hasFreeSpace(path: string, least = LEAST_FREE_BYTES): boolean {
  const { blocks, bavail, bsize } = statfsSync(path);
  return blocks === 0 || bavail * bsize >= least;
}

/** @throws Error ENOSPC if there is less free space, ENOENT if the directory was removed */
export function requireFreeSpace(path: string, least = LEAST_FREE_BYTES): void {
  if (hasFreeSpace(path, least)) return;
  const message = `ENOSPC: of the disk of ${path} less than ${least} bytes are free, and nothing is written`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}
