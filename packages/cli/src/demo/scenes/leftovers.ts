import { hashValue } from '@netd/protocol';
import { act, type Stage } from '../stage.ts';
import { settle } from './settlement.ts';
import { deliver, jobOf, orderOf, store, verify, type Job, type OrderView } from './work.ts';

export async function finishLeftovers(stage: Stage): Promise<void> {
  const jobs: Job[] = [];
  for (const status of ['ACCEPTED', 'VERIFYING']) {
    for (const order of await ordersOf(stage, status)) {
      const worker = stage.cast.all.find(({ actorId }) => actorId === order.workerId);
      const [, runId] = /^demo-([^-]+)-/.exec(order.orderId) ?? [];
      if (!worker || runId === undefined) continue;
      const job = jobOf(order.orderId, worker, runId);
      jobs.push(job);
      if (status === 'ACCEPTED') await deliver(stage, job);
      else await store(stage, job);
    }
  }
  if (jobs.length === 0) return;
  const orders = jobs.length === 1 ? 'one order' : `${jobs.length} orders`;
  stage.say(`The last run was interrupted. First, the demo finishes ${orders} that it left.`);
  for (const job of jobs) await finish(stage, job);
}

async function ordersOf({ client }: Stage, status: string): Promise<OrderView[]> {
  const path = `/v1/work-orders?status=${status}&limit=1000`;
  return (await client.get<{ orders: OrderView[] }>(path)).orders;
}

async function finish(stage: Stage, job: Job): Promise<void> {
  const { orderId } = job;
  const { phase } = await orderOf(stage, orderId);
  if (phase === 'DISPUTED') {
    const reasonHash = hashValue({ orderId, finding: 'it was left alone' });
    await act(stage, stage.operator, 'resolveDispute', {
      orderId,
      outcome: 'REJECTED',
      reasonHash,
    });
    return;
  }
  if (phase !== 'VERIFIED') await verify(stage, job);
  await settle(stage, job);
}
