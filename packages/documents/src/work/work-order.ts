/** The public record of a work order. It contains only the hash of the scope. */
import { WorkOrderRecord } from '@netd/ledger';
import { RecordId } from '@netd/protocol';
import { exactly, orNull } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Deadline, deadlineOrNull, deadlineView } from '../shared/deadline.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

const { properties } = WorkOrderRecord;
export const { status: WorkOrderStatus, assignmentMode: AssignmentMode } = properties;

export const OrderTerms = exactly(
  {
    orderId: properties.orderId,
    requesterId: properties.requesterId,
    title: properties.title,
    scopeHash: properties.scopeHash,
    jobType: properties.jobType,
    requirements: properties.requirements,
    funding: properties.funding,
    verificationFee: properties.verificationFee,
    workerBond: properties.workerBond,
    validationPolicy: properties.validationPolicy,
    deliverWithin: properties.deliverWithin,
    createdAt: properties.createdAt,
    returns: properties.returns,
    links: Links,
  },
  { title: 'OrderTerms' },
);

export const WorkOrderView = exactly(
  {
    ...properties,
    disputableUntil: orNull(Deadline),
    deadline: orNull(Deadline),
    links: Links,
  },
  { title: 'WorkOrderRecord' },
);

export const workOrder = defineDocument({
  name: 'NET-WORK-ORDER/1',
  route: '/v1/work-orders/:orderId',
  operationId: 'getWorkOrder',
  tag: 'work',
  summary: 'One work order',
  description: 'One work order.',
  path: { orderId: RecordId },
  canMiss: true,
  content: { order: WorkOrderView },
  build: (snapshot, { orderId }) => ({ order: workOrderView(orderAt(snapshot, orderId)) }),
});

export function orderAt(snapshot: Snapshot, orderId: string): WorkOrderRecord {
  const order = snapshot.get('order', orderId);
  if (!order) throw new ApiError('WORK_ORDER_NOT_FOUND');
  return order;
}

export function workOrderView(order: WorkOrderRecord) {
  const { disputableUntil, deadline, ...view } = order;
  const { orderId } = order;
  return {
    ...view,
    disputableUntil: disputableUntil && deadlineView(disputableUntil),
    deadline: deadlineOrNull(deadline),
    links: {
      self: `/v1/work-orders/${orderId}`,
      proof: proofLink('order', orderId),
      events: `/v1/events?order=${orderId}`,
    },
  };
}
