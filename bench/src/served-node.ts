/** An HTTP node process that reports its event-loop delay. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serve, type RunningNode } from '@netd/node';
import { answerCalls } from './remote-program.ts';

const RESOLUTION_MILLISECONDS = 1;
const NANOSECONDS_PER_MILLISECOND = 1e6;

let running: RunningNode | null = null;
let delay: ReturnType<typeof monitorEventLoopDelay> | null = null;

const calls = {
  /**
   * @param lightRead see HttpLimits; Infinity leaves nothing to other threads
   * @returns its port
   */
  open: async ({
    dataDir,
    lightRead,
  }: {
    dataDir: string;
    lightRead?: number;
  }): Promise<number> => {
    running = await serve({
      host: '127.0.0.1',
      port: 0,
      dataDir,
      ...(lightRead === undefined ? {} : { limits: { lightRead } }),
    });
    return Number(new URL(running.url).port);
  },

  beginDelay: (_: null): void => {
    delay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
    delay.enable();
  },

  /** In milliseconds, since `beginDelay`. */
  endDelay: (_: null): { median: number; p99: number; highest: number } => {
    if (!delay) throw new Error('nothing was begun');
    delay.disable();
    const { max } = delay;
    return {
      median: delay.percentile(50) / NANOSECONDS_PER_MILLISECOND,
      p99: delay.percentile(99) / NANOSECONDS_PER_MILLISECOND,
      highest: max / NANOSECONDS_PER_MILLISECOND,
    };
  },
};

export type ServedNode = typeof calls;

answerCalls(calls, async () => {
  await running?.stop();
});
