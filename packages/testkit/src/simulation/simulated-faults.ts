/** Random faults of processes and disks in a simulation of several nodes. */
import type { Clock } from '@netd/engine';
import type { Failpoint } from '@netd/engine/testing';
import { SimulatedCrash } from '../simulated-process.ts';
import type { Random } from './random.ts';

/** Chance at each of a restore's few hundred reported steps. */
const RESTORE_CRASHES = 0.004;

export class SimulatedFaults {
  areOver = false;
  diskFailures = 0;
  restoreCrashes = 0;
  private readonly clock: Clock;
  private readonly diskDownUntil = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Makes a node's disk refuse writes for some milliseconds. */
  breakFor(url: string, milliseconds: number): void {
    this.diskDownUntil.set(url, this.clock.elapsed() + milliseconds);
  }

  /** May crash the process at any failpoint, or break the disk while it writes a block. */
  at(url: string, random: Random, name: Failpoint, height: number): void {
    if (this.areOver) return;
    if (random.chance(0.02)) {
      throw new SimulatedCrash(`${url} ${name}@${height}`);
    }
    const isDown = this.clock.elapsed() < (this.diskDownUntil.get(url) ?? 0);
    if (name === 'block.writing' && (isDown || random.chance(0.04))) this.breakDisk(random);
  }

  /** May report a disk failure after a successful write. */
  afterCommit(random: Random): void {
    if (!this.areOver && random.chance(0.02)) this.breakDisk(random);
  }

  inRestore(url: string, random: Random): void {
    if (this.areOver || !random.chance(RESTORE_CRASHES)) return;
    this.restoreCrashes++;
    throw new SimulatedCrash(`${url} in the middle of a restore`);
  }

  private breakDisk(random: Random): never {
    this.diskFailures++;
    throw diskRefusal(random);
  }
}

/** Returns the error of a full, broken or read-only disk. */
export function diskRefusal(random: Random): Error {
  const code = random.pick(['ENOSPC', 'EIO', 'EROFS']);
  return Object.assign(new Error(`${code}: the disk refuses`), { code });
}
