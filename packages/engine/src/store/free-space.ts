/**
 * If the disk fills during a write, lmdb 3.5.6 prints more than 100 bytes into a buffer of 100, and the
 * process may crash. So free space is checked first, in three microseconds. A quota can still cause a crash;
 * nothing acknowledged is lost.
 */
import { statfsSync } from 'node:fs';

/** A full block in a large state: 1,500 intents change seven pages each. */
export const LEAST_FREE_BYTES = 67_108_864;

/**
 * Also true if the file system reports no size.
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
