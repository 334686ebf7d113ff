/** A small disk that a test can fill. Only root can mount it (decision 119). */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';

export interface SmallDisk {
  path: string;
  /** Unmounts and removes it. */
  remove: () => void;
}

/**
 * Mounts a new file system.
 * @param size as of tmpfs, such as `192m`
 * @returns null if this process may not mount
 */
export function mountSmallDisk(size: string): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'netd-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  const remove = (): void => {
    if (status === 0) spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  };
  if (status === 0) return { path, remove };
  remove();
  return null;
}

/** Fills the disk to the last page. */
export function fillDisk(disk: string): void {
  const file = openSync(join(disk, BALLAST), 'a');
  try {
    for (const size of [1_048_576, 4_096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
  if (statfsSync(disk).bavail >= 2) throw new Error(`${disk} is not full`);
}

/** Removes what filled the disk. */
export function makeRoom(disk: string): void {
  rmSync(join(disk, BALLAST), { force: true });
}
