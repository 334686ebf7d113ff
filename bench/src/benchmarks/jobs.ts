/** Jobs from offer to payment, with an SDK agent, blobs, verifiers and windows. */
import { Agent } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import type { BenchmarkResult } from '../benchmark.ts';
import { median, quantile, seconds } from '../measure.ts';

const WARM_UP = 3;
const JOBS = 40;
const CONCURRENCY = 8;

export async function jobs(): Promise<BenchmarkResult[]> {
  const ends: (() => unknown)[] = [];
  try {
    const world = await World.start(
      { after: (end) => void ends.push(end as () => unknown) },
      { apart: true },
    );
    await world.staff();
    const agent = await Agent.open('worker', { ...world.options(), memory: false });
    ends.push(() => agent.stop());
    const offeredAt = new Map<string, number>();
    const times: number[] = [];
    let arrived = (): void => {};
    agent.onWork({ concurrency: CONCURRENCY }, ({ orderId }) => `The result of ${orderId}`);
    agent.on('paid', ({ orderId }) => {
      times.push(seconds(offeredAt.get(orderId) ?? Number.NaN));
      arrived();
    });
    const running = agent.run();
    const work = async (count: number): Promise<number> => {
      times.length = 0;
      const all = new Promise<void>((resolve) => {
        arrived = () => times.length === count && resolve();
      });
      const startedAt = performance.now();
      for (let i = 0; i < count; i++) {
        offeredAt.set(world.nextOrderId(), performance.now());
        await world.order({ agentId: 'worker' });
      }
      // A stopped agent is never paid; its error says why it stopped.
      await Promise.race([all, running.then(() => Promise.reject(new Error('it has ended')))]);
      return count / seconds(startedAt);
    };
    await work(WARM_UP);
    const rate = await work(JOBS);
    return [
      {
        name: 'jobs offered, done, verified and paid through one agent',
        value: rate,
        unit: 'per second',
        goal: null,
        details: {
          jobs: JOBS,
          concurrency: CONCURRENCY,
          secondsMedian: median(times),
          secondsP90: quantile(times, 0.9),
        },
      },
    ];
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
