import { isReached, type WorkOrderRecord } from '@netd/ledger';
import { timestampToMs, type ErrorCode } from '@netd/protocol';
import { orNull, exactly, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { refusalOf } from '../shared/dry-run.ts';
import { OrderTerms } from './work-order.ts';

export const Opportunity = exactly(
  { ...OrderTerms.properties, acceptBy: orNull(Deadline) },
  { title: 'Opportunity' },
);
export type Opportunity = Static<typeof Opportunity>;

export function opportunityOf(order: WorkOrderRecord): Opportunity {
  const { orderId } = order;
  return {
    orderId,
    requesterId: order.requesterId,
    title: order.title,
    jobType: order.jobType,
    requirements: order.requirements,
    funding: order.funding,
    verificationFee: order.verificationFee,
    workerBond: order.workerBond,
    validationPolicy: order.validationPolicy,
    acceptBy: order.deadline && deadlineView(order.deadline),
    deliverWithin: order.deliverWithin,
    returns: order.returns,
    scopeHash: order.scopeHash,
    createdAt: order.createdAt,
    links: {
      self: `/v1/work-orders/${orderId}`,
      brief: `/v1/work-orders/${orderId}/brief`,
    },
  };
}

/**
 * Returns true if the next block can accept the order. An order past its acceptBy ends as that block opens.
 */
export function isAcceptable(snapshot: Snapshot, { status, deadline }: WorkOrderRecord): boolean {
  return status === 'OPEN' && deadline !== null && !isReached(deadline, nextBlock(snapshot));
}

export function nextBlock(snapshot: Snapshot): { height: number; time: number } {
  const { height, timestamp } = snapshot.block.header;
  return { height: height + 1, time: timestampToMs(timestamp) + 1 };
}

/** Repeats the order's bond, because that is how a worker agrees to it. */
export function acceptancePayload(
  { orderId, workerBond }: Pick<WorkOrderRecord, 'orderId' | 'workerBond'>,
  agentId: string,
): { orderId: string; agentId: string; workerBond?: number } {
  return { orderId, agentId, ...(workerBond > 0 ? { workerBond } : {}) };
}

/** Returns the refusal of acceptWork in the next block; null if it would be accepted. */
export function acceptanceRefusal(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  agentId: string,
): ErrorCode | null {
  if (!isAcceptable(snapshot, order)) return 'WORK_ORDER_NOT_OPEN';
  const payload = acceptancePayload(order, agentId);
  return refusalOf(snapshot, agentId, { action: 'acceptWork', payload });
}
