import type { LabClock } from '../../chain/lab-clock.ts';
import { BATCH_LIMITS } from '../consensus.ts';
import type { Lab, LabCommand, LabMode, LabSnapshot } from '../lab.ts';
import { BlockTimer, type BlockTimes } from './block-timer.ts';

interface Order {
  left: number;
  /** Milliseconds that the clock has still to skip. */
  milliseconds: number;
  /** Null until the last block is built. */
  lastHeight: number | null;
  done: PromiseWithResolvers<void>;
}

export interface ReturningChain {
  keep: (id: string) => number;
  back: (id: string) => Promise<void>;
}

interface Kept extends LabSnapshot {
  offset: number;
}

const LOOK_MILLISECONDS = 1_000;

export class LabTimer extends BlockTimer implements Lab {
  mode: LabMode = 'automatic';
  private readonly labClock: LabClock;
  private readonly orders: Order[] = [];
  private kept: Kept[] = [];
  reverts = 0;
  private readonly tasksBetweenBlocks: (() => Promise<void>)[] = [];
  private readonly pause: number;
  /** Elapsed time before which a failed block is not retried. */
  private notBefore = -Infinity;
  private hasStopped = false;

  private readonly chain: ReturningChain;

  constructor(clock: LabClock, times: BlockTimes, isBusy: () => boolean, chain: ReturningChain) {
    super(clock, times, isBusy);
    this.chain = chain;
    this.labClock = clock;
    this.pause = times.blockTime;
  }

  now(): number {
    return this.labClock.now();
  }

  async run(command: LabCommand): Promise<void> {
    if (this.hasStopped) throw new Error('the node stops');
    if (command.do === 'mode') {
      this.mode = command.mode;
      this.interrupt();
      return;
    }
    if (command.do !== 'mine') {
      const { id } = command;
      const work = command.do === 'snapshot' ? () => this.keep(id) : () => this.goBack(id);
      await this.betweenBlocks(work);
      return;
    }
    const order: Order = {
      left: command.blocks,
      milliseconds: command.milliseconds,
      lastHeight: null,
      done: Promise.withResolvers<void>(),
    };
    this.orders.push(order);
    this.interrupt();
    await order.done.promise;
  }

  get snapshots(): LabSnapshot[] {
    return this.kept.map(({ id, height }) => ({ id, height }));
  }

  override async pauseForErrands(idle: () => Promise<void>): Promise<boolean> {
    if (this.tasksBetweenBlocks.length === 0) return false;
    await idle();
    for (const task of this.tasksBetweenBlocks.splice(0)) await task();
    return true;
  }

  private async betweenBlocks(work: () => Promise<void>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.tasksBetweenBlocks.push(() => work().then(done.resolve, done.reject));
    this.interrupt();
    await done.promise;
  }

  private async keep(id: string): Promise<void> {
    const height = this.chain.keep(id);
    this.kept.push({ id, height, offset: this.labClock.offset });
  }

  private async goBack(id: string): Promise<void> {
    const at = this.kept.findIndex((kept) => kept.id === id);
    const kept = this.kept[at];
    if (!kept) throw new RangeError(`there is no snapshot ${id}`);
    await this.chain.back(id);
    this.kept.length = at + 1;
    this.reverts += 1;
    this.labClock.returnTo(kept.offset);
  }

  get limits(): typeof BATCH_LIMITS {
    return this.mode === 'each' ? { ...BATCH_LIMITS, count: 1 } : BATCH_LIMITS;
  }

  private get asked(): Order | undefined {
    return this.orders.find(({ left }) => left > 0);
  }

  protected override dueAt(isBusy: boolean): number {
    if (this.asked || this.tasksBetweenBlocks.length > 0) return -Infinity;
    if (this.mode === 'none') return Infinity;
    if (this.mode === 'each') return isBusy ? this.notBefore : Infinity;
    return super.dueAt(isBusy);
  }

  protected override longestWait = LOOK_MILLISECONDS;

  override async atMostBlockTime(work: Promise<void>): Promise<void> {
    if (this.mode !== 'each') await super.atMostBlockTime(work);
  }

  override beginBatch(): void {
    super.beginBatch();
    const { asked } = this;
    if (!asked) return;
    const step = Math.floor(asked.milliseconds / asked.left);
    asked.milliseconds -= step;
    this.labClock.advance(step);
  }

  override get idleBlockIsDue(): boolean {
    return this.asked !== undefined || super.idleBlockIsDue;
  }

  override blockMade(height: number, time: number): void {
    super.blockMade(height, time);
    this.labClock.catchUp(time);
    const { asked } = this;
    if (!asked) return;
    asked.left -= 1;
    if (asked.left === 0) asked.lastHeight = height;
  }

  override blockWritten(height: number): void {
    while ((this.orders[0]?.lastHeight ?? Infinity) <= height) {
      this.orders.shift()?.done.resolve();
    }
  }

  override blockFailed(error: unknown): void {
    this.notBefore = this.labClock.elapsed() + this.pause;
    for (const { done } of this.orders.splice(0)) done.reject(error);
  }

  override stop(): void {
    this.hasStopped = true;
    super.stop();
    this.blockFailed(new Error('the node stops'));
  }
}
