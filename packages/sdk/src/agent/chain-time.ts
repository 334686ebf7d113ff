/**
 * The time by the clock that dates the blocks. On every chain but one that is this machine's. The clock of a laboratory is
 * moved ahead at will, and then every desk looks again.
 */
import type { NetClient } from '../client.ts';
import type { Poller } from './poller.ts';

/** Milliseconds between looks at the clock of a laboratory, which is on this machine. */
const LOOK = 200;
/** What a clock moved by if it moved at all, and how many heights come at once only if they were asked for. */
const JUMP = { milliseconds: 1_000, heights: 10 };

export class ChainTime {
  private ahead = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** Follows the clock of a laboratory until the signal of the poller. */
  async follow(client: NetClient, pulse: Poller): Promise<void> {
    let seen = Infinity;
    while (!pulse.signal.aborted) {
      try {
        const { timestamp, height } = await client.network();
        const ahead = Math.max(0, Date.parse(timestamp) - Date.now());
        const jumped = ahead - this.ahead > JUMP.milliseconds || height - seen > JUMP.heights;
        this.ahead = Math.max(this.ahead, ahead);
        seen = height;
        if (jumped) pulse.wake();
      } catch {
        // The line to the node says so itself.
      }
      await idle(pulse.signal);
    }
  }
}

/** Waits without keeping a process alive that has nothing else to do. */
async function idle(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, LOOK);
    signal.addEventListener('abort', done);
    (timer as { unref?: () => void }).unref?.();
  });
}
