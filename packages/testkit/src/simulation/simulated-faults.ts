/** What befalls the processes and disks of a simulation of several nodes, by the chance of each. */
import type { Clock } from '@netd/engine';
import type { Failpoint } from '@netd/engine/testing';
import { SimulatedCrash } from '../simulated-process.ts';
import type { Random } from './random.ts';

/** Of each of the few hundred moments that a restore tells of. */
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

  /** From now on the disk of a node refuses, for some milliseconds. */
  breakFor(url: string, milliseconds: number): void {
    this.diskDownUntil.set(url, this.clock.elapsed() + milliseconds);
  }

  /** A write: at any failpoint the process may die, and the disk where a block is written. */
  at(url: string, random: Random, name: Failpoint, height: number): void {
    if (this.areOver) return;
    if (random.chance(0.02)) {
      throw new SimulatedCrash(`${url} ${name}@${height}`);
    }
    const isDown = this.clock.elapsed() < (this.diskDownUntil.get(url) ?? 0);
    if (name === 'block.writing' && (isDown || random.chance(0.04))) this.breakDisk(random);
  }

  /** It is written, and the disk may complain all the same. */
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

/** What a disk says that is full, broken, or read-only for a while. */
export function diskRefusal(random: Random): Error {
  const code = random.pick(['ENOSPC', 'EIO', 'EROFS']);
  return Object.assign(new Error(`${code}: the disk refuses`), { code });
}
