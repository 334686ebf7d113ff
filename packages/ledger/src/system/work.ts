import { drawCommittee } from '../actions/work/committee.ts';
import { lapse } from '../actions/work/contest.ts';
import { endWithoutVerdict, JURY_END_EVENTS } from '../actions/work/end-jury.ts';
import {
  addToWorkStats,
  forfeitWorkerBond,
  isSubstantial,
  payOrder,
  rejectOrder,
  reopenOrder,
  rulesOf,
  workerOf,
} from '../actions/work/order.ts';
import type { WorkOrderRecord } from '../actions/work/records.ts';
import { countVotes, outstandingVoters, revealAfterReview } from '../actions/work/sealed-votes.ts';
import type { ReadableState, WritableState } from '../state.ts';
import type { SystemTransition } from '../transition.ts';

export const drawWorkCommittee: SystemTransition = {
  summary: 'Draws the committee of an order whose result stands in an earlier block.',
  events: ['WorkCommitteeDrawn', 'WorkUnjudged'],
  apply: (context, orderId) => drawCommittee(context, orderOf(context, orderId)),
};

export const timeOutWorkAcceptance: SystemTransition = {
  summary: 'The order was not accepted in time: it ends with a refund.',
  events: ['WorkOrderRejected'],
  apply: (context, orderId) =>
    rejectOrder(context, orderOf(context, orderId), 'ACCEPTANCE_TIMEOUT'),
};

export const timeOutWorkDelivery: SystemTransition = {
  summary:
    'The worker delivered nothing in time: its bond goes to the requester, an order of the market back to it once, else it ends with a refund.',
  events: ['WorkerBondForfeited', 'WorkOrderReopened', 'WorkOrderRejected'],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    forfeitWorkerBond(context, order);
    const { state, policy } = context;
    addToWorkStats(state, workerOf(order), {
      timeouts: Number(isSubstantial(order, policy.work)),
    });
    if (order.assignmentMode === 'OPEN_MARKET' && order.returns === 0) {
      reopenOrder(context, { ...order, returns: order.returns + 1 });
    } else rejectOrder(context, order, 'DELIVERY_TIMEOUT');
  },
};

export const timeOutWorkVerification: SystemTransition = {
  summary:
    'The committee did not decide in time: sealed votes are revealed, and then counted without those that were not. Else it is drawn again once, then the dispute window opens without a verdict. Before version 2 of the rules, the order ends with a refund.',
  events: ['WorkCommitteeDrawn', 'WorkRevealOpened', ...JURY_END_EVENTS],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    countMissedVotes(context.state, order);
    if (order.phase === 'REVEAL') return countVotes(context, order);
    if (revealAfterReview(context, order)) return;
    if (order.verification?.round === 1) drawCommittee(context, order);
    else endWithoutVerdict(context, order);
  },
};

function countMissedVotes(state: WritableState, order: WorkOrderRecord): void {
  for (const verifierId of outstandingVoters(order)) {
    const verifier = state.get('verifier', verifierId);
    if (!verifier) continue;
    state.put('verifier', verifierId, { ...verifier, votesMissed: verifier.votesMissed + 1 });
  }
}

export const settleWork: SystemTransition = {
  summary:
    'An order that was verified, or that no jury judged, was neither settled nor disputed in time: it is paid.',
  events: ['WorkerBondReturned', 'WorkOrderPaid', 'ReferralQualified'],
  apply: (context, orderId) => payOrder(context, orderOf(context, orderId)),
};

export const timeOutWorkDispute: SystemTransition = {
  summary:
    'A dispute was not resolved in time, or the side that loses did not contest: the outcome of the vote stands. Without a vote, the side that did not answer loses, or the funding is split.',
  events: [
    'WorkerBondReturned',
    'DisputeSettled',
    'WorkOrderPaid',
    'WorkOrderSplit',
    'WorkOrderRejected',
    'ReferralQualified',
  ],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    if (order.phase === 'VOTED_DOWN') rejectOrder(context, order, 'VERIFICATION_REJECTED');
    else if (order.phase === 'CONTESTED') rejectOrder(context, order, 'DISPUTE_UPHELD');
    else if (rulesOf(order).atLeast(2)) lapse(context, order);
    else payOrder(context, order);
  },
};

/** Returns the order of a timer. Timers never outlive their order. */
function orderOf({ state }: { state: ReadableState }, orderId: string): WorkOrderRecord {
  const order = state.get('order', orderId);
  if (!order) throw new Error(`there is no order ${orderId}`);
  return order;
}
