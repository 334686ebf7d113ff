/** An HTTP node process. */
import { serve, type RunningNode } from '@netd/node';
import { answerCalls } from './remote-program.ts';

let running: RunningNode | null = null;

const calls = {
  /** @returns its port */
  open: async ({ dataDir }: { dataDir: string }): Promise<number> => {
    running = await serve({ host: '127.0.0.1', port: 0, dataDir });
    return Number(new URL(running.url).port);
  },
};

export type ServedNode = typeof calls;

answerCalls(calls, async () => {
  await running?.stop();
});
