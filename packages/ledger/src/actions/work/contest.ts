/** Contests from version 2 of the rules on: an answer, a second jury, an operator, and the end without a decision. */
import { contestBondOf, DEFAULT_CONDITION_KINDS } from '@netd/protocol';
import { balanceOf } from '../../accounting.ts';
import { deadlineAfter } from '../../deadline.ts';
import { positionOf, type WriteContext } from '../../transition.ts';
import type { WorkOrderRecord } from './records.ts';
import {
  addToWorkStats,
  entering,
  lockBond,
  payOrder,
  putOrder,
  rejectOrder,
  splitOrder,
  workerOf,
} from './order.ts';

/** Opens the dispute window of a result that the jury rejected. */
export function voteDown(context: WriteContext, order: WorkOrderRecord): void {
  const { state, block, policy, emit } = context;
  const { orderId, requesterId } = order;
  const disputableUntil = deadlineAfter(block, policy.work.disputeWindow);
  const after = { ...order, disputableUntil };
  putOrder(state, order, { ...after, ...entering('VOTED_DOWN', after, context) });
  emit('WorkVotedDown', { disputableUntil, orderId, requesterId, workerId: workerOf(order) });
}

export function contest(
  context: WriteContext,
  order: WorkOrderRecord,
  { actorId, reasonHash }: { actorId: string; reasonHash: string },
): void {
  const { state, block, emit } = context;
  const { orderId, requesterId, phase, verifyWithin } = order;
  const bond = contestBondOf(order.funding);
  const said = { actorId, bond, orderId, reasonHash, requesterId, workerId: workerOf(order) };
  if (phase === 'CONTESTED' && order.dispute) {
    // Lock no more than the worker has: otherwise a worker without money would lose every contest.
    const answerBond = Math.min(bond, balanceOf(state, actorId));
    lockBond(state, actorId, answerBond);
    const isLess = answerBond < bond;
    const answer = { ...(isLess ? { answerBond } : {}), answeredAt: positionOf(context) };
    const dispute = { ...answer, ...order.dispute, ...answer };
    askSecondJury(context, order, { ...order, dispute });
    return emit('DisputeAnswered', { ...said, bond: answerBond });
  }
  lockBond(state, actorId, bond);
  const dispute: NonNullable<WorkOrderRecord['dispute']> = {
    answeredAt: null,
    bond,
    openedAt: positionOf(context),
    openedBy: actorId,
    reasonHash,
    verdict: phase === 'VERIFIED' ? 'VERIFIED' : phase === 'VOTED_DOWN' ? 'REJECTED' : null,
  };
  if (actorId === requesterId) addToWorkStats(state, requesterId, { requested: { disputed: 1 } });
  if (phase === 'UNJUDGED') {
    const after = { ...order, disputableUntil: deadlineAfter(block, verifyWithin), dispute };
    putOrder(state, order, { ...after, ...entering('CONTESTED', after, context) });
  } else askSecondJury(context, order, { ...order, dispute });
  emit('DisputeOpened', said);
}

function askSecondJury(
  context: WriteContext,
  before: WorkOrderRecord,
  order: WorkOrderRecord,
): void {
  putOrder(context.state, before, {
    ...order,
    ...entering('DRAWING', order, context),
    firstVerification: order.verification,
    verification: null,
  });
}

/** Asks an operator to decide, for example because the second jury could not be drawn or did not decide. */
export function askOperator(context: WriteContext, order: WorkOrderRecord): void {
  putOrder(context.state, order, { ...order, ...entering('DISPUTED', order, context) });
}

/**
 * Ends an undecided contest: the verdict holds; without one, the funding is split. A rejection does not hold if
 * its requester may have fixed the jury.
 */
export function lapse(context: WriteContext, order: WorkOrderRecord): void {
  const verdict = order.dispute?.verdict;
  if (verdict === 'VERIFIED') payOrder(context, order);
  else if (verdict === 'REJECTED' && !mayBeFixed(order)) {
    rejectOrder(context, order, 'VERIFICATION_REJECTED');
  } else splitOrder(context, order);
}

/** True if too few verifiers for a second jury declared a kind that the requester has declared. */
const mayBeFixed = ({ conditionKinds = [], verification }: WorkOrderRecord): boolean =>
  verification?.committee.length === 0 &&
  conditionKinds.some((kind) => !DEFAULT_CONDITION_KINDS.includes(kind));

/** Ends a contested order as the second jury or an operator decided. */
export function decideContest(
  context: WriteContext,
  order: WorkOrderRecord,
  verdict: 'VERIFIED' | 'REJECTED',
): void {
  if (verdict === 'VERIFIED') return payOrder(context, order);
  const isUpheld = order.dispute?.verdict === 'REJECTED';
  rejectOrder(context, order, isUpheld ? 'VERIFICATION_REJECTED' : 'DISPUTE_UPHELD');
}
