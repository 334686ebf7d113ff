/** lmdb 3.5.6 may crash the process if the disk fills during a write, so free space is checked first. */
import { statfsSync } from 'node:fs';

/** Enough for a full block in a large state. */
export const LEAST_FREE_BYTES = 67_108_864;

/** @throws Error ENOENT if the directory was removed */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

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
