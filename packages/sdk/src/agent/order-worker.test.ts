import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentEmitter } from './emitter.ts';
import { OrderWorker } from './order-worker.ts';
import type { AgentParts } from './parts.ts';
import { Poller } from './poller.ts';
import { Instruments } from './telemetry.ts';

test('the end of an order lets its worker look for the next one at once', async (t) => {
  const controller = new AbortController();
  const poller = new Poller(controller.signal);
  t.after(() => controller.abort());
  let looks = 0;
  const hasLooked = new Map<number, () => void>();
  const look = (count: number): Promise<void> =>
    new Promise((resolve) => hasLooked.set(count, resolve));
  const [first, second, third] = [look(1), look(2), look(3)];
  const order = { orderId: 'o', workerId: 'ada', phase: 'SUBMITTED', jobType: 'general' };
  let polls = 0;
  const parts = {
    agentId: 'ada',
    capabilities: [],
    poller,
    events: new AgentEmitter(() => {}),
    telemetry: new Instruments(),
    time: { now: () => 0 },
    origins: { places: () => ['somewhere'] },
    outbox: { forget: async () => {} },
    state: {
      get: async () => null,
      names: async () => [],
      put: async () => {},
      delete: async () => {},
    },
    reach: () => {},
    retryingClient: {
      order: async () => {
        polls += 1;
        if (polls === 1) return { ...order, status: 'VERIFYING' };
        // The payment event wakes a second poll before the job has ended.
        await second;
        return { ...order, status: 'PAID', funding: 1 };
      },
      async *pages(path: string, { status }: { status?: string }) {
        if (path === '/v1/work-orders') {
          yield { orders: status === 'VERIFYING' ? [{ ...order, result: null }] : [] };
          return;
        }
        looks += 1;
        setImmediate(() => hasLooked.get(looks)?.());
        yield { opportunities: [] };
      },
    },
  } as unknown as AgentParts;
  const run = new OrderWorker(parts, { minFunding: 1, concurrency: 2 }, () => '').run();
  await first;
  // The event of its payment.
  if (looks < 2) poller.wake();
  const late = new Promise<string>((resolve) => setTimeout(resolve, 5_000, 'late').unref());
  assert.notEqual(await Promise.race([third, late]), 'late');
  controller.abort();
  await run;
});
