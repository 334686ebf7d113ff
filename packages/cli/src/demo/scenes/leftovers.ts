import { hashValue } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { act, expectRefusal, failureOf, list, type Stage } from '../stage.ts';
import { settle } from './settlement.ts';
import { deliver, jobOf, orderOf, store, verify, type Job, type OrderView } from './work.ts';

/** Finishes or ends the orders of interrupted runs and rounds. */
export async function finishLeftovers(stage: Stage): Promise<void> {
  const jobs: Job[] = [];
  const taken = await cancelOffers(stage);
  for (const status of ['ACCEPTED', 'VERIFYING'] as const) {
    for (const order of await ordersOf(stage, status)) {
      const worker = workerOf(stage, order);
      const [, runId] = /^demo-([^-]+)-/.exec(order.orderId) ?? [];
      if (runId === undefined) continue;
      // Only its worker can deliver, and the key of an earlier newcomer is gone. Anyone may settle.
      if (!worker && status === 'ACCEPTED') continue;
      const name = order.workerId?.split('-')[0] ?? '';
      const job = jobOf(order.orderId, worker ?? { ...stage.cast.requester, name }, runId);
      jobs.push(job);
      if (status === 'ACCEPTED') await deliver(stage, job);
      else await store(stage, job);
    }
  }
  if (taken > 0) stage.say(`An interrupted run left ${orders(taken)} open. They are cancelled.`);
  if (jobs.length === 0) return;
  stage.say(
    `The last run was interrupted. First, the demo finishes ${orders(jobs.length)} that it left.`,
  );
  for (const job of jobs) await finish(stage, job);
}

/**
 * Ends the orders without a result, because the demo stops and they lock money.
 * @returns a sentence for the user
 */
export async function closeOrders(stage: Stage): Promise<string> {
  try {
    let ended = 0;
    for (const order of await ordersOf(stage, 'ACCEPTED')) {
      const worker = workerOf(stage, order);
      if (!worker) continue;
      await act(stage, worker, 'releaseWork', { orderId: order.orderId });
      // One on the market opens again, and is counted when it is cancelled.
      if ((await orderOf(stage, order.orderId)).status !== 'OPEN') ended++;
    }
    ended += await cancelOffers(stage);
    const judged = (await ordersOf(stage, 'VERIFYING')).length;
    const told = [
      ...(ended > 0 ? [`${orders(ended)} without a result: cancelled and refunded`] : []),
      ...(judged > 0 ? [`${orders(judged)} with a result: the next run pays the workers`] : []),
    ];
    return told.length === 0 ? '' : `\n  Left in the middle: ${list(told)}.`;
  } catch (error) {
    return `\n  Its open orders could not be ended (${failureOf(stage, error)}). The next run finishes them.`;
  }
}

const orders = (count: number): string => (count === 1 ? 'one order' : `${count} orders`);

const workerOf = ({ cast }: Stage, { workerId }: OrderView): Player | undefined =>
  cast.all.find(({ actorId }) => actorId === workerId);

/** @returns the number of cancelled orders */
async function cancelOffers(stage: Stage): Promise<number> {
  let cancelled = 0;
  for (const { orderId } of await ordersOf(stage, 'OPEN')) {
    try {
      await act(stage, stage.cast.requester, 'cancelWorkOrder', { orderId });
      cancelled++;
    } catch (error) {
      // It may have expired, or another agent has just accepted it.
      expectRefusal(error, 'WORK_ORDER_NOT_OPEN');
    }
  }
  return cancelled;
}

async function ordersOf(
  { client, cast }: Stage,
  status: OrderView['status'],
): Promise<OrderView[]> {
  const { actorId } = cast.requester;
  const path = `/v1/work-orders?requesterId=${actorId}&status=${status}&limit=1000`;
  return (await client.get<{ orders: OrderView[] }>(path)).orders;
}

async function finish(stage: Stage, job: Job): Promise<void> {
  const { orderId } = job;
  const { phase, status } = await orderOf(stage, orderId);
  if (phase === 'DISPUTED') {
    const reasonHash = hashValue({ orderId, finding: 'it was left alone' });
    await act(stage, stage.operator, 'resolveDispute', {
      orderId,
      outcome: 'REJECTED',
      reasonHash,
    });
    return;
  }
  // The chain pays an order without a verdict, too, and ends one that a jury rejected.
  if (status !== 'VERIFYING' || !['DRAWING', 'REVIEW', 'VERIFIED', 'UNJUDGED'].includes(phase))
    return;
  if (phase === 'DRAWING' || phase === 'REVIEW') await verify(stage, job);
  await settle(stage, job);
}
