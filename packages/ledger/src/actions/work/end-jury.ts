/** Ends juries, with or without a verdict. */
import { SECOND_JURY } from '@netd/protocol';
import { deadlineAfter } from '../../deadline.ts';
import type { WriteContext } from '../../transition.ts';
import { askOperator, decideContest, voteDown } from './contest.ts';
import { entering, leaveUnjudged, putOrder, rejectOrder, rulesOf, workerOf } from './order.ts';
import type { WorkOrderRecord } from './records.ts';
import type { Verdict } from './verdict.ts';

/** Events of a jury's end, and of what follows at once. */
export const JURY_END_EVENTS = [
  'WorkVerified',
  'WorkVotedDown',
  'WorkUnjudged',
  'WorkerBondReturned',
  'DisputeSettled',
  'WorkOrderPaid',
  'WorkOrderRejected',
  'ReferralQualified',
] as const;

export function endJury(context: WriteContext, order: WorkOrderRecord, verdict: Verdict): void {
  const { state, block, policy, emit } = context;
  const { orderId, requesterId } = order;
  const isNew = rulesOf(order).atLeast(2);
  if (order.verification?.round === SECOND_JURY) {
    if (verdict === 'UNJUDGEABLE') return askOperator(context, order);
    return decideContest(context, order, verdict);
  }
  if (verdict === 'REJECTED') {
    return isNew ? voteDown(context, order) : rejectOrder(context, order, 'VERIFICATION_REJECTED');
  }
  if (verdict === 'UNJUDGEABLE') {
    return (isNew ? leaveUnjudged : rejectOrder)(context, order, 'SCOPE_UNJUDGEABLE');
  }
  const disputableUntil = deadlineAfter(block, policy.work.disputeWindow);
  const verified = { ...order, disputableUntil };
  putOrder(state, order, { ...verified, ...entering('VERIFIED', verified, context) });
  emit('WorkVerified', { disputableUntil, orderId, requesterId, workerId: workerOf(order) });
}

/** Ends a jury in which too few have voted. */
export function endWithoutVerdict(context: WriteContext, order: WorkOrderRecord): void {
  if (order.verification?.round === SECOND_JURY) return askOperator(context, order);
  const isAsked = (order.verification?.votes.length ?? 0) > 0;
  const end = rulesOf(order).atLeast(2) ? leaveUnjudged : rejectOrder;
  end(context, order, isAsked ? 'VERIFICATION_TIMEOUT' : 'UNVERIFIED');
}
