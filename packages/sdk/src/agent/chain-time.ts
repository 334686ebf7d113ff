/** The clock that dates blocks. A laboratory can move it ahead, and every worker then polls. */
import type { NetClient } from '../client.ts';
import { pause } from '../pause.ts';
import type { Poller } from './poller.ts';

const LOOK = 200;
const JUMP = { milliseconds: 1_000, heights: 10 };

export class ChainTime {
  private ahead = 0;
  /** Fulfilled once the clock of a laboratory has been read, or its first read has failed. */
  known: Promise<void> = Promise.resolve();

  now(): number {
    return Date.now() + this.ahead;
  }

  /**
   * Follows the laboratory's clock. If the laboratory returns to a snapshot, resets the clock and wakes all
   * waits.
   */
  async follow(client: NetClient, poller: Poller): Promise<void> {
    let isKnown = (): void => {};
    this.known = new Promise((resolve) => (isKnown = resolve));
    let seen = Infinity;
    let reverts: number | null = null;
    while (!poller.signal.aborted) {
      try {
        const { clock, height, ...lab } = await client.read('/v1/lab');
        const ahead = Math.max(0, Date.parse(clock) - Date.now());
        if (Number.isNaN(ahead)) throw new TypeError('the clock is no date');
        const returned = reverts !== null && lab.reverts !== reverts;
        const jumped = ahead - this.ahead > JUMP.milliseconds || height - seen > JUMP.heights;
        this.ahead = returned ? ahead : Math.max(this.ahead, ahead);
        seen = height;
        ({ reverts } = lab);
        if (jumped || returned) poller.wake();
      } catch {}
      isKnown();
      await pause(LOOK, poller.signal, { isIdle: true });
    }
  }
}
