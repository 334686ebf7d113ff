/** What happens to work orders by itself, so that every one of them ends, whoever falls silent. */
import type { BlockContext, TransitionContext } from '../../action.ts';
import type { WorkOrderRecord } from './records.ts';
import type { ReadableState } from '../../state.ts';
import type { SystemKind, SystemRule } from '../../system-rule.ts';
import { drawCommittee } from './committee.ts';
import {
  addToTally,
  isReached,
  momentAfter,
  payOrder,
  putOrder,
  rejectOrder,
  workerOf,
} from './order.ts';

/** Orders moved on in one block at most, by each of the two rules; the others come with the next block. */
const ORDERS_MOVED = 128;

export const WORK_SYSTEM_KINDS = {
  drawWorkCommittee: {
    summary: 'Draws the committee of an order whose result stands in an earlier block.',
    events: { WorkCommitteeDrawn: 'Verifiers were drawn for an order.' },
    apply: (context, orderId) => drawCommittee(context, orderOf(context, orderId)),
  },
  awaitWorkHeight: {
    summary:
      'The time of a deadline has passed, its height has not: from now on the height counts.',
    events: {},
    apply({ state }, orderId) {
      const order = orderOf({ state }, orderId);
      if (!order.deadline) throw new Error(`the order ${orderId} has no deadline`);
      putOrder(state, order, { ...order, dueAtHeight: order.deadline.height });
    },
  },
  lapseWorkAcceptance: {
    summary: 'Nobody accepted the order in time: it ends with a refund.',
    events: { WorkOrderRejected: 'An order ended unpaid; the funding went back.' },
    apply: (context, orderId) =>
      rejectOrder(context, orderOf(context, orderId), 'ACCEPTANCE_TIMEOUT'),
  },
  lapseWorkDelivery: {
    summary:
      'The worker delivered nothing in time: an order of the market goes back to it once, else it ends with a refund.',
    events: {
      WorkOrderReopened: 'An order is open again, because its worker delivered nothing.',
      WorkOrderRejected: 'An order ended unpaid; the funding went back.',
    },
    apply(context, orderId) {
      const order = orderOf(context, orderId);
      if (order.assignmentMode === 'OPEN_MARKET' && order.returns === 0) reopen(context, order);
      else rejectOrder(context, order, 'DELIVERY_TIMEOUT');
    },
  },
  lapseWorkVerification: {
    summary:
      'The committee did not decide in time: it is drawn again once, then the order ends with a refund.',
    events: {
      WorkCommitteeDrawn: 'Verifiers were drawn for an order.',
      WorkOrderRejected: 'An order ended unpaid; the funding went back.',
    },
    apply(context, orderId) {
      const order = orderOf(context, orderId);
      countMissedVotes(context, order);
      if (order.verification?.round === 1) drawCommittee(context, order);
      else rejectOrder(context, order, 'VERIFICATION_TIMEOUT');
    },
  },
  settleWork: {
    summary: 'Nobody settled a verified order: it is paid.',
    events: {
      WorkOrderPaid: 'Worker and verifiers were paid.',
      ReferralQualified: 'Verified paid work qualified a referral.',
    },
    apply: (context, orderId) => payOrder(context, orderOf(context, orderId)),
  },
  lapseWorkDispute: {
    summary: 'Nobody resolved a dispute in time: the outcome of the vote stands.',
    events: {
      WorkOrderPaid: 'Worker and verifiers were paid.',
      ReferralQualified: 'Verified paid work qualified a referral.',
    },
    apply: (context, orderId) => payOrder(context, orderOf(context, orderId)),
  },
} as const satisfies Record<string, SystemKind>;

type WorkKind = keyof typeof WORK_SYSTEM_KINDS;

const KIND_OF_DEADLINE: Partial<Record<WorkOrderRecord['phase'], WorkKind>> = {
  OPEN: 'lapseWorkAcceptance',
  ACCEPTED: 'lapseWorkDelivery',
  REVIEW: 'lapseWorkVerification',
  VERIFIED: 'settleWork',
  DISPUTED: 'lapseWorkDispute',
};

export const WORK_SYSTEM_RULES: readonly SystemRule<WorkKind>[] = [
  {
    collection: 'order',
    until: ({ height }) => height,
    limit: ORDERS_MOVED,
    kindOf(state, block, orderId) {
      const order = orderOf({ state }, orderId);
      // A deadline that waits for its height has its time behind it: here it is always reached.
      return order.phase === 'DRAWING' ? 'drawWorkCommittee' : lapseOf(order, block);
    },
  },
  {
    // Both height and time must pass. Waiting for the time first and then for the exact height, a deadline takes two
    // steps at most, and whatever is due is ready: no early entry stands in the way of another.
    collection: 'work-clock',
    until: ({ time }) => time,
    limit: ORDERS_MOVED,
    kindOf: (state, block, orderId) => lapseOf(orderOf({ state }, orderId), block),
  },
];

function lapseOf(order: WorkOrderRecord, block: BlockContext): WorkKind {
  const kind = KIND_OF_DEADLINE[order.phase];
  if (!kind || !order.deadline) throw new Error(`the order ${order.orderId} has no deadline`);
  return isReached(order.deadline, block) ? kind : 'awaitWorkHeight';
}

function orderOf({ state }: { state: ReadableState }, orderId: string): WorkOrderRecord {
  const order = state.get('order', orderId);
  if (!order) throw new Error(`there is no order ${orderId}`);
  return order;
}

function reopen({ state, block, emit }: TransitionContext, order: WorkOrderRecord): void {
  const { orderId, requesterId } = order;
  const workerId = workerOf(order);
  addToTally(state, workerId, { unfinishedOrders: -1 });
  putOrder(state, order, {
    ...order,
    status: 'OPEN',
    phase: 'OPEN',
    workerId: null,
    acceptedAt: null,
    returns: order.returns + 1,
    deadline: momentAfter(block, order.acceptWithin),
    dueAtHeight: null,
  });
  emit('WorkOrderReopened', { orderId, requesterId, workerId });
}

function countMissedVotes({ state }: TransitionContext, { verification }: WorkOrderRecord): void {
  const voted = new Set(verification?.votes.map(({ verifierId }) => verifierId));
  for (const { verifierId } of verification?.committee ?? []) {
    const verifier = state.get('verifier', verifierId);
    if (!verifier || voted.has(verifierId)) continue;
    state.put('verifier', verifierId, { ...verifier, votesMissed: verifier.votesMissed + 1 });
  }
}
