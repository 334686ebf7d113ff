/**
 * Room on the disk, looked at before the database writes. Where LMDB meets the end of a disk in the middle of a write, the
 * binding (lmdb 3.5.6) prints a sentence of more than 100 bytes into a buffer of 100, and may end the process by a signal.
 * Looking takes three microseconds. A disk that fills between look and write, or a quota, can still bring that about:
 * nothing acknowledged is lost by it.
 */
import { statfsSync } from 'node:fs';

/** More than a full block writes: 1,500 intents change seven pages each where the state is large. */
export const LEAST_FREE_BYTES = 67_108_864;

/**
 * Returns true if that many bytes are free to this user, or if the file system does not say how large it is.
 * @throws Error ENOENT if the directory was removed
 */
export function hasFreeSpace(path: string, least = LEAST_FREE_BYTES): boolean {
  const { blocks, bavail, bsize } = statfsSync(path);
  return blocks === 0 || bavail * bsize >= least;
}

/** @throws Error ENOSPC where fewer bytes are free to this user, ENOENT where the directory was removed */
export function requireFreeSpace(path: string, least = LEAST_FREE_BYTES): void {
  if (hasFreeSpace(path, least)) return;
  const message = `ENOSPC: of the disk of ${path} less than ${least} bytes are free, and nothing is written`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}
