/** A node process without HTTP that submits signed intents to itself, to avoid other costs. */
import { NetNode } from '@netd/node';
import { increment, type Counts } from './counts.ts';
import { cpuTimeOf, cpuTimeSince, type CpuTime } from './cpu-time.ts';
import { seconds } from './measure.ts';
import { answerCalls } from './remote-program.ts';

const IN_FLIGHT = 4_000;

export interface SubmissionReport {
  seconds: number;
  committed: number;
  /** By code. */
  refused: Counts;
  cpu: CpuTime;
}

let node: NetNode | null = null;

const calls = {
  open: async ({ dataDir }: { dataDir: string }): Promise<void> => {
    node = await NetNode.start({ dataDir, admission: { total: 100_000, perAddress: 100_000 } });
  },

  /** Submits all, with limited concurrency, and waits for every answer. */
  submit: async ({ intents }: { intents: string[] }): Promise<SubmissionReport> => {
    const { admission } = node ?? missing();
    const bodies = intents.map((intent) => Buffer.from(intent));
    const refused: Counts = {};
    let committed = 0;
    let next = 0;
    const client = async (): Promise<void> => {
      for (let body = bodies[next++]; body; body = bodies[next++]) {
        try {
          await admission.submit('intent', body, 'bench');
          committed++;
        } catch (error) {
          const { code = String(error) } = error as { code?: string };
          increment(refused, code);
        }
      }
    };
    // Collects the last turn's garbage before measuring this one.
    globalThis.gc?.();
    const before = cpuTimeOf(process.pid);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: IN_FLIGHT }, client));
    return {
      seconds: seconds(startedAt),
      committed,
      refused,
      cpu: cpuTimeSince(before, cpuTimeOf(process.pid)),
    };
  },
};

export type InProcessNode = typeof calls;

function missing(): never {
  throw new Error('the node is not open');
}

answerCalls(calls, async () => {
  await node?.stop();
});
