/**
 * Checks the free space before the database writes. If the disk fills in the middle of a write, the LMDB
 * binding (lmdb 3.5.6) prints more than 100 bytes into a buffer of 100, and the process may crash. The check
 * takes three microseconds. A quota, or a disk that fills right after it, can still cause a crash; nothing
 * acknowledged is lost.
 */
import { statfsSync } from 'node:fs';

/** More than a full block writes: 1,500 intents change seven pages each in a large state. */
export const LEAST_FREE_BYTES = 67_108_864;

/**
 * Returns true if that many bytes are free to this user, or if the file system reports no size.
 * @throws Error ENOENT if the directory was removed
 */
export function hasFreeSpace(path: string, least = LEAST_FREE_BYTES): boolean {
  const { blocks, bavail, bsize } = statfsSync(path);
  return blocks === 0 || bavail * bsize >= least;
}

/** @throws Error ENOSPC if fewer bytes are free to this user, ENOENT if the directory was removed */
export function requireFreeSpace(path: string, least = LEAST_FREE_BYTES): void {
  if (hasFreeSpace(path, least)) return;
  const message = `ENOSPC: of the disk of ${path} less than ${least} bytes are free, and nothing is written`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}
