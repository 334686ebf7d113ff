/**
 * The time by the clock that dates the blocks. On every chain but one that is this machine's. The clock of a laboratory is
 * moved ahead at will, and then every worker looks again.
 */
import type { NetClient } from '../client.ts';
import { pause } from '../pause.ts';
import type { Poller } from './poller.ts';

/** Milliseconds between looks at the clock of a laboratory, which is on this machine. */
const LOOK = 200;
/** The least step that shows that a clock was moved, and the least number of heights that come at once only if asked for. */
const JUMP = { milliseconds: 1_000, heights: 10 };

export class ChainTime {
  private ahead = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /**
   * Follows the clock of a laboratory until the signal of the poller. Where that goes back to a snapshot, the clock goes with it, and
   * all waits look again.
   */
  async follow(client: NetClient, poller: Poller): Promise<void> {
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
      } catch {
        // The retrying client says so itself.
      }
      await pause(LOOK, poller.signal, { isIdle: true });
    }
  }
}
