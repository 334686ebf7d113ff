import { verificationFeeOf, type WorkPolicy } from '@netd/protocol';
import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import { countForAgent } from '../../agent-stats.ts';
import type {
  UnjudgedReason,
  WorkOrderRecord,
  WorkOrderStatus,
  WorkPhase,
  WorkReceiptRecord,
  WorkRejection,
  WorkStatsRecord,
  WorkVote,
} from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import { deadlineAfter, deadlineBeyond, type Deadline, type Now } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { Rules } from '../../rules.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import type { TimerKind } from '../../timer-queue.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { positionOf, type CheckContext, type WriteContext } from '../../transition.ts';
import { secondVerdictOf } from './verdict.ts';

export const MAX_OPEN_ORDERS = 1_000;
/** Open orders of a requester whose name did not pay the price of names. */
export const MAX_UNPAID_OPEN_ORDERS = 16;
/** Unfinished orders per worker, so that it cannot take the whole market. */
export const MAX_UNFINISHED_ORDERS = 16;

/** Unfinished orders of an agent that was never paid for work, because names are free. */
export const MAX_UNPROVEN_ORDERS = 2;

/** Releases per order, because each starts its time on the market again. */
export const MAX_RELEASES = 8;

const ESCROW = classAccount('escrow');
const BONDS = classAccount('bonds');

export const ORDER_COUNTERS: Readonly<Record<WorkOrderStatus, CounterName>> = {
  OPEN: 'work-orders-open',
  ACCEPTED: 'work-orders-accepted',
  VERIFYING: 'work-orders-verifying',
  PAID: 'work-orders-paid',
  REJECTED: 'work-orders-rejected',
};

type OpenPhase = Exclude<WorkPhase, 'ENDED'>;
type Spans = Pick<
  WorkOrderRecord,
  'orderId' | 'acceptWithin' | 'deliverWithin' | 'verifyWithin' | 'disputableUntil'
>;

/** Timers of the phases. They end every order, even if a party falls silent. */
const TIMEOUTS: Readonly<
  Record<
    OpenPhase,
    { brings: TimerKind; at: (order: Spans, block: Now, policy: WorkPolicy) => Deadline }
  >
> = {
  OPEN: {
    brings: 'timeOutWorkAcceptance',
    at: ({ acceptWithin }, block) => deadlineAfter(block, acceptWithin),
  },
  ACCEPTED: {
    brings: 'timeOutWorkDelivery',
    at: ({ deliverWithin }, block) => deadlineAfter(block, deliverWithin),
  },
  DRAWING: {
    brings: 'drawWorkCommittee',
    // The draw needs the hash of this block, which only the next block knows.
    at: (_order, block) => deadlineBeyond(block.height),
  },
  REVIEW: {
    brings: 'timeOutWorkVerification',
    at: ({ verifyWithin }, block) => deadlineAfter(block, verifyWithin),
  },
  REVEAL: {
    brings: 'timeOutWorkVerification',
    at: (_order, block, { minimumSpans }) => deadlineAfter(block, minimumSpans.verify),
  },
  VERIFIED: {
    brings: 'settleWork',
    at: settledAt,
  },
  VOTED_DOWN: {
    brings: 'timeOutWorkDispute',
    at: windowEnd,
  },
  CONTESTED: {
    brings: 'timeOutWorkDispute',
    at: windowEnd,
  },
  UNJUDGED: {
    brings: 'settleWork',
    at: settledAt,
  },
  DISPUTED: {
    brings: 'timeOutWorkDispute',
    at: (_order, block, { resolveWithin }) => deadlineAfter(block, resolveWithin),
  },
};

function windowEnd({ orderId, disputableUntil }: Spans): Deadline {
  if (!disputableUntil) throw new Error(`the order ${orderId} is beyond dispute`);
  return disputableUntil;
}

function settledAt(order: Spans, _block: Now, { settleWithin }: WorkPolicy): Deadline {
  return deadlineAfter(windowEnd(order), settleWithin);
}

export function entering(
  phase: OpenPhase,
  order: Spans,
  { block, policy }: Pick<CheckContext, 'block' | 'policy'>,
): { phase: OpenPhase; deadline: Deadline } {
  return { phase, deadline: TIMEOUTS[phase].at(order, block, policy.work) };
}

const timerOf = (phase: WorkPhase): TimerKind | undefined =>
  phase === 'ENDED' ? undefined : TIMEOUTS[phase].brings;

export function requireOrder(state: ReadableState, orderId: string): WorkOrderRecord {
  const order = state.get('order', orderId);
  requireThat(order, 'WORK_ORDER_UNKNOWN', '/payload/orderId');
  return order;
}

/**
 * Returns the rules under which the order was created. They keep applying to it when the chain's rules
 * change.
 */
export const rulesOf = ({ rulesVersion = 1 }: Pick<WorkOrderRecord, 'rulesVersion'>): Rules =>
  new Rules(rulesVersion);

export function workStatsOf(state: ReadableState, actorId: string): WorkStatsRecord {
  return (
    state.get('work-stats', actorId) ?? {
      actorId,
      disputesLost: 0,
      earned: 0,
      openOrders: 0,
      released: 0,
      requested: { cancelled: 0, disputed: 0, funded: 0, lost: 0, paid: 0 },
      timeouts: 0,
      unfinishedOrders: 0,
      verifiedOrders: 0,
    }
  );
}

type WorkCounts = Omit<WorkStatsRecord, 'actorId' | 'requested'>;

export function addToWorkStats(
  state: WritableState,
  actorId: string,
  {
    requested = {},
    ...change
  }: Partial<WorkCounts> & { requested?: Partial<WorkStatsRecord['requested']> },
): void {
  const stats = workStatsOf(state, actorId);
  state.put('work-stats', actorId, {
    ...sum(stats, change),
    requested: sum(stats.requested, requested),
  });
}

function sum<Name extends string, Counts extends Partial<Record<Name, number>>>(
  counts: Counts,
  change: Partial<Record<Name, number>>,
): Counts {
  const after: Partial<Record<Name, number>> = { ...counts };
  for (const name of Object.keys(change) as Name[]) {
    // The same money can be earned many times, so bound the sum to a safe integer.
    after[name] = Math.min((counts[name] ?? 0) + (change[name] ?? 0), Number.MAX_SAFE_INTEGER);
  }
  return after as Counts;
}

/**
 * True once the worker was paid for an order of the minimum funding, or for small ones of as much in total.
 */
export const isProven = (
  { verifiedOrders, verifiedSmall = 0 }: Pick<WorkStatsRecord, 'verifiedOrders' | 'verifiedSmall'>,
  { minimumFunding }: WorkPolicy,
): boolean => verifiedOrders > 0 || verifiedSmall >= minimumFunding;

export const unfinishedLimit = (
  stats: Pick<WorkStatsRecord, 'verifiedOrders' | 'verifiedSmall'>,
  policy: WorkPolicy,
): number => (isProven(stats, policy) ? MAX_UNFINISHED_ORDERS : MAX_UNPROVEN_ORDERS);

/**
 * True if an order counts for weight, referrals, rank and limits, or against its worker. It needs the minimum
 * fee too, because funding may flow back to the requester.
 */
export function isSubstantial(
  { funding, verificationFee }: Pick<WorkOrderRecord, 'funding' | 'verificationFee'>,
  { minimumFunding, verificationFeeBps }: WorkPolicy,
): boolean {
  return (
    funding >= minimumFunding &&
    verificationFee >= verificationFeeOf(minimumFunding, verificationFeeBps)
  );
}

export function putOrder(
  state: WritableState,
  before: WorkOrderRecord | null,
  after: WorkOrderRecord,
): void {
  const { orderId, phase, deadline } = after;
  if (before?.status !== after.status) {
    if (before) count(state, ORDER_COUNTERS[before.status], -1);
    else count(state, 'work-orders', 1);
    count(state, ORDER_COUNTERS[after.status], 1);
    if (after.assignmentMode === 'OPEN_MARKET') countOnMarket(state, before, after);
  }
  const [old, fresh] = [before ? timerOf(before.phase) : undefined, timerOf(phase)];
  if (old && old !== fresh) clearTimer(state, old, orderId);
  if (fresh) {
    if (!deadline) throw new Error(`the order ${orderId} is ${phase} without a deadline`);
    if (deadline !== before?.deadline) setTimer(state, fresh, orderId, deadline);
  }
  state.put('order', orderId, after);
}

function countOnMarket(
  state: WritableState,
  before: WorkOrderRecord | null,
  after: WorkOrderRecord,
): void {
  const change = Number(after.status === 'OPEN') - Number(before?.status === 'OPEN');
  if (change === 0) return;
  count(state, 'open-market-orders', change);
  count(state, 'open-market-funding', change * after.funding);
}

function shareFee(state: WritableState, order: WorkOrderRecord): WorkReceiptRecord['shares'] {
  const { votes = [] } = order.firstVerification ?? order.verification ?? {};
  if (votes.length === 0) throw new Error('there are no votes, and yet the vote is decided');
  return shareAmong(state, votes, { amount: order.verificationFee, from: ESCROW });
}

/** Splits a fee among the voters. Of a remainder, the first voters get one unet more each. */
function shareAmong(
  state: WritableState,
  votes: readonly Pick<WorkVote, 'verifierId'>[],
  fee: { amount: number; from: string },
): WorkReceiptRecord['shares'] {
  const each = Math.floor(fee.amount / votes.length);
  const remainder = fee.amount - each * votes.length;
  addToTotal(state, 'verification-fees', fee.amount);
  return votes.map(({ verifierId }, i) => {
    const amount = each + (i < remainder ? 1 : 0);
    if (amount > 0) move(state, fee.from, verifierId, amount);
    return { amount, verifierId };
  });
}

/**
 * Pays the bonds of a contest to the favored party, or to the reward pool without one. A second jury that
 * decided so gets its fee first. The requester gets back the fee of a first jury that was wrong.
 */
function settleContest(
  context: WriteContext,
  order: WorkOrderRecord,
  { favored, refund }: { favored: string | null; refund: number },
): void {
  const { state, policy, emit } = context;
  const { orderId, requesterId, funding, dispute, verification } = order;
  if (!dispute) {
    if (refund > 0) move(state, ESCROW, requesterId, refund);
    return;
  }
  const locked = dispute.bond + (dispute.answeredAt ? (dispute.answerBond ?? dispute.bond) : 0);
  // A proof can contradict the votes that a second jury has revealed so far.
  const isDecided = secondVerdictOf(order) === (favored === requesterId ? 'REJECTED' : 'VERIFIED');
  const fee = 2 * verificationFeeOf(funding, policy.work.verificationFeeBps);
  const shares = isDecided
    ? shareAmong(state, verification?.votes ?? [], {
        amount: Math.min(fee, dispute.bond),
        from: BONDS,
      })
    : [];
  const left = locked - shares.reduce((all, { amount }) => all + amount, 0);
  if (favored === null) slashBond(state, left);
  else if (left > 0) move(state, BONDS, favored, left);
  if (refund > 0) move(state, ESCROW, requesterId, refund);
  emit('DisputeSettled', {
    actorId: favored,
    amount: favored === null ? 0 : left,
    orderId,
    refund,
    requesterId,
    shares,
    slashed: favored === null ? left : 0,
    workerId: workerOf(order),
  });
}

/** Ends an order. Under version 1 of the rules, the favored party also gets the dispute bond. */
function endOrder(
  context: WriteContext,
  order: WorkOrderRecord,
  end: { status: 'PAID' | 'REJECTED'; reason: WorkRejection | null },
): void {
  const { state, policy } = context;
  const { dispute, requesterId, workerId } = order;
  const isPaid = end.status === 'PAID';
  if (order.result && holdsBondToTheEnd(order)) returnWorkerBond(context, order);
  if (dispute && !rulesOf(order).atLeast(2)) {
    move(state, BONDS, isPaid ? workerOf(order) : requesterId, dispute.bond);
  }
  addToWorkStats(state, requesterId, {
    openOrders: -1,
    requested: {
      paid: Number(isPaid),
      cancelled: Number(end.reason === 'CANCELLED'),
      lost: Number(isPaid && dispute?.openedBy === requesterId),
    },
  });
  if (workerId !== null) {
    addToWorkStats(state, workerId, {
      unfinishedOrders: -1,
      disputesLost: Number(
        !isPaid && end.reason !== 'SPLIT' && dispute !== null && isSubstantial(order, policy.work),
      ),
    });
  }
  putOrder(state, order, {
    ...order,
    ...end,
    phase: 'ENDED',
    deadline: null,
    endedAt: positionOf(context),
  });
}

/**
 * Refunds the requester. The fee is kept if a committee decided: if only some votes were paid, verifiers
 * would cast those.
 */
export function rejectOrder(
  context: WriteContext,
  order: WorkOrderRecord,
  reason: WorkRejection,
): void {
  const { state, emit } = context;
  const { orderId, requesterId, workerId, funding, verificationFee } = order;
  const feeIsEarned = reason === 'VERIFICATION_REJECTED' || reason === 'SCOPE_UNJUDGEABLE';
  const refund = funding + (feeIsEarned || order.unjudged ? 0 : verificationFee);
  const shares = feeIsEarned ? shareFee(state, order) : [];
  move(state, ESCROW, requesterId, refund);
  if (rulesOf(order).atLeast(2)) settleContest(context, order, { favored: requesterId, refund: 0 });
  endOrder(context, order, { status: 'REJECTED', reason });
  emit('WorkOrderRejected', { orderId, reason, refund, requesterId, shares, workerId });
}

/** Returns the verdict of the first jury; null if it has none yet, or could not judge. */
export function firstVerdictOf(order: WorkOrderRecord): 'VERIFIED' | 'REJECTED' | null {
  const { dispute, unjudged, phase } = order;
  if (dispute?.verdict !== undefined) return dispute.verdict;
  if (unjudged || ['DRAWING', 'REVIEW', 'REVEAL'].includes(phase)) return null;
  return phase === 'VOTED_DOWN' ? 'REJECTED' : 'VERIFIED';
}

export function payOrder(context: WriteContext, order: WorkOrderRecord): void {
  const { state, policy, transitionHash, emit } = context;
  const { orderId, requesterId, funding, verificationFee, result } = order;
  // Without a jury's verdict, requester and worker could buy votes without a fee.
  const first = firstVerdictOf(order);
  const isVerified = (secondVerdictOf(order) ?? first) === 'VERIFIED';
  const counts = isVerified && isSubstantial(order, policy.work);
  const isFeeEarned = first === 'VERIFIED';
  const workerId = workerOf(order);
  if (!result) throw new Error(`the order ${orderId} is verified without a result`);
  move(state, ESCROW, workerId, funding);
  addToTotal(state, 'work-paid', funding);
  const receipt: WorkReceiptRecord = {
    deliverableHash: result.deliverableHash,
    orderId,
    paid: funding,
    requesterId,
    settledAt: positionOf(context),
    shares: isFeeEarned ? shareFee(state, order) : [],
    transitionHash,
    workerId,
  };
  state.put('work-receipt', orderId, receipt);
  if (counts) {
    addToWorkStats(state, workerId, { verifiedOrders: 1, earned: funding });
    count(state, 'substantial-orders', 1);
  } else if (
    rulesOf(order).atLeast(2) &&
    isVerified &&
    verificationFee >= verificationFeeOf(funding, policy.work.verificationFeeBps)
  ) {
    addToWorkStats(state, workerId, { verifiedSmall: funding });
  }
  if (rulesOf(order).atLeast(2)) {
    const refund = isFeeEarned || order.unjudged ? 0 : verificationFee;
    settleContest(context, order, { favored: workerId, refund });
  }
  endOrder(context, order, { status: 'PAID', reason: null });
  emit('WorkOrderPaid', {
    orderId,
    paid: funding,
    requesterId,
    shares: receipt.shares,
    workerId,
  });
  if (counts) qualifyReferral(context, orderId, requesterId, workerId);
}

/**
 * Gives each party half, because the result stays undecided. All bonds, each as large as a half, are lost.
 * If the worker's bond was smaller, the difference comes out of its half. A jury that decided keeps its fee.
 */
export function splitOrder(context: WriteContext, order: WorkOrderRecord): void {
  const { state, emit } = context;
  const { orderId, requesterId, funding, dispute } = order;
  if (!dispute) throw new Error(`the order ${orderId} is split without a dispute`);
  const workerId = workerOf(order);
  const half = Math.floor(funding / 2);
  const { bond, answerBond = bond } = dispute;
  const paid = Math.max(0, half - (bond - answerBond));
  const refund = funding - half;
  if (paid > 0) move(state, ESCROW, workerId, paid);
  move(state, ESCROW, requesterId, refund);
  const shares = order.unjudged ? [] : shareFee(state, order);
  if (paid < half) move(state, ESCROW, BONDS, half - paid);
  addToTotal(state, 'work-paid', paid);
  const completed = { ...order, dispute: { ...dispute, answerBond: answerBond + half - paid } };
  settleContest(context, completed, { favored: null, refund: 0 });
  endOrder(context, order, { status: 'REJECTED', reason: 'SPLIT' });
  emit('WorkOrderSplit', { forfeited: half - paid, orderId, paid, requesterId, workerId });
  emit('WorkOrderRejected', {
    orderId,
    reason: 'SPLIT',
    refund,
    requesterId,
    shares,
    workerId,
  });
}

/**
 * Opens the dispute window without a verdict, because silence never refunds delivered work. The requester has
 * as much time as a jury would have had.
 */
export function leaveUnjudged(
  context: WriteContext,
  order: WorkOrderRecord,
  reason: UnjudgedReason,
): void {
  const { state, block, emit } = context;
  const { orderId, requesterId, verificationFee, verifyWithin } = order;
  const feeIsEarned = reason === 'SCOPE_UNJUDGEABLE';
  const shares = feeIsEarned ? shareFee(state, order) : [];
  const refund = feeIsEarned ? 0 : verificationFee;
  if (refund > 0) move(state, ESCROW, requesterId, refund);
  const disputableUntil = deadlineAfter(block, verifyWithin);
  const after = { ...order, disputableUntil, unjudged: reason };
  putOrder(state, order, { ...after, ...entering('UNJUDGED', after, context) });
  emit('WorkUnjudged', {
    disputableUntil,
    orderId,
    reason,
    refund,
    requesterId,
    shares,
    workerId: workerOf(order),
  });
}

export const awaitsSettlement = ({ phase }: WorkOrderRecord): boolean =>
  phase === 'VERIFIED' || phase === 'UNJUDGED';

/** Qualifies a referral, unless the work was for the referrer or another of its recruits. */
function qualifyReferral(
  { state, transitionHash, emit }: WriteContext,
  orderId: string,
  requesterId: string,
  workerId: string,
): void {
  const referral = state.get('referral', workerId);
  if (referral?.status !== 'pending') return;
  const { referrerAgentId } = referral;
  if (requesterId === referrerAgentId) return;
  if (state.get('referral', requesterId)?.referrerAgentId === referrerAgentId) return;
  state.put('referral', workerId, {
    ...referral,
    status: 'qualified',
    qualifyingTransitionHash: transitionHash,
    qualifyingOrderId: orderId,
  });
  count(state, 'qualified-referrals', 1);
  countForAgent(state, referrerAgentId, 'qualifiedReferrals');
  emit('ReferralQualified', { agentId: workerId, orderId, referrerAgentId });
}

export function workerOf({ orderId, workerId }: WorkOrderRecord): string {
  if (workerId === null) throw new Error(`the order ${orderId} has no worker`);
  return workerId;
}

export function reopenOrder(context: WriteContext, order: WorkOrderRecord): void {
  const { state, emit } = context;
  const { orderId, requesterId } = order;
  const workerId = workerOf(order);
  addToWorkStats(state, workerId, { unfinishedOrders: -1 });
  putOrder(state, order, {
    ...order,
    status: 'OPEN',
    ...entering('OPEN', order, context),
    workerId: null,
    acceptedAt: null,
  });
  emit('WorkOrderReopened', { orderId, requesterId, workerId });
}

export function fundOrder(state: WritableState, order: WorkOrderRecord): void {
  move(state, order.requesterId, ESCROW, order.funding + order.verificationFee);
}

export function lockBond(state: WritableState, actorId: string, bond: number): void {
  if (bond > 0) move(state, actorId, BONDS, bond);
}

/**
 * True if the worker's bond is held until the order ends. Under version 1 of the rules, the delivery returns
 * it.
 */
export const holdsBondToTheEnd = (order: Pick<WorkOrderRecord, 'rulesVersion'>): boolean =>
  rulesOf(order).atLeast(2);

export function unlockWorkerBond(state: WritableState, order: WorkOrderRecord): void {
  if (order.workerBond > 0) move(state, BONDS, workerOf(order), order.workerBond);
}

function returnWorkerBond({ state, emit }: WriteContext, order: WorkOrderRecord): void {
  const { orderId, requesterId, workerBond: amount } = order;
  if (amount === 0) return;
  unlockWorkerBond(state, order);
  emit('WorkerBondReturned', { amount, orderId, requesterId, workerId: workerOf(order) });
}

export function forfeitWorkerBond({ state, emit }: WriteContext, order: WorkOrderRecord): void {
  const { orderId, requesterId, workerBond: amount } = order;
  if (amount === 0) return;
  const workerId = workerOf(order);
  move(state, BONDS, requesterId, amount);
  addToTotal(state, 'worker-bonds-forfeited', amount);
  emit('WorkerBondForfeited', { amount, orderId, requesterId, workerId });
}

export function slashBond(state: WritableState, amount: number): void {
  if (balanceOf(state, BONDS) < amount) throw new Error('the bonds do not hold this bond');
  move(state, BONDS, classAccount('reward-pool'), amount);
  addToTotal(state, 'slashed', amount);
}
