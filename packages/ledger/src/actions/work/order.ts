/** What the actions and deadlines of a work order share: its phases, its money, and how it ends. */
import { verificationFeeOf, type WorkPolicy } from '@netd/protocol';
import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import { countForAgent } from '../../agent-stats.ts';
import type {
  WorkOrderRecord,
  WorkOrderStatus,
  WorkPhase,
  WorkReceiptRecord,
  WorkRejection,
  WorkStatsRecord,
} from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import { deadlineAfter, deadlineBeyond, type Deadline, type Now } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import type { TimerKind } from '../../timer-queue.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { positionOf, type CheckContext, type WriteContext } from '../../transition.ts';

/** Orders of a requester that have not ended: bounds what one actor can make the chain keep moving. */
export const MAX_OPEN_ORDERS = 1_000;
/** Limits a worker's orders that have not ended, so that it cannot block the market by taking everything. */
export const MAX_UNFINISHED_ORDERS = 16;

/** Unfinished orders of an agent that was never paid for work: a name costs nothing, and shall not hold the market. */
export const MAX_UNPROVEN_ORDERS = 2;

/** Workers that give one order back until it ends: each of them starts its time on the market anew. */
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

/** When each phase of an order times out, and what that brings: so every order ends, even if a party falls silent. */
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
    // The hash of this block, which the drawing needs, exists only in the next one.
    at: (_order, block) => deadlineBeyond(block.height),
  },
  REVIEW: {
    brings: 'timeOutWorkVerification',
    at: ({ verifyWithin }, block) => deadlineAfter(block, verifyWithin),
  },
  VERIFIED: {
    brings: 'settleWork',
    at({ orderId, disputableUntil }, _block, { settleWithin }) {
      if (!disputableUntil) throw new Error(`the order ${orderId} is verified beyond dispute`);
      return deadlineAfter(disputableUntil, settleWithin);
    },
  },
  DISPUTED: {
    brings: 'timeOutWorkDispute',
    at: (_order, block, { resolveWithin }) => deadlineAfter(block, resolveWithin),
  },
};

/** The phase that an order enters with this block, and when it times out there. */
export function entering(
  phase: OpenPhase,
  order: Spans,
  { block, policy }: Pick<CheckContext, 'block' | 'policy'>,
): { phase: OpenPhase; deadline: Deadline } {
  return { phase, deadline: TIMEOUTS[phase].at(order, block, policy.work) };
}

const timerOf = (phase: WorkPhase): TimerKind | undefined =>
  phase === 'ENDED' ? undefined : TIMEOUTS[phase].brings;

/** @throws RuleError WORK_ORDER_UNKNOWN */
export function requireOrder(state: ReadableState, orderId: string): WorkOrderRecord {
  const order = state.get('order', orderId);
  requireThat(order, 'WORK_ORDER_UNKNOWN', '/payload/orderId');
  return order;
}

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

/** The counts with a change added to them; other members stay as they are. */
function sum<Name extends string, Counts extends Record<Name, number>>(
  counts: Counts,
  change: Partial<Record<Name, number>>,
): Counts {
  const after: Record<Name, number> = { ...counts };
  for (const name of Object.keys(change) as Name[]) {
    // The same money can be earned again and again; the sum must stay an exact integer.
    after[name] = Math.min(counts[name] + (change[name] ?? 0), Number.MAX_SAFE_INTEGER);
  }
  return after as Counts;
}

/** How many orders an agent may have under way. */
export function unfinishedLimit({
  verifiedOrders,
}: Pick<WorkStatsRecord, 'verifiedOrders'>): number {
  return verifiedOrders > 0 ? MAX_UNFINISHED_ORDERS : MAX_UNPROVEN_ORDERS;
}

/**
 * Whether an order counts: paid, for weight, referrals, rank and limits; missed or disputed, against its worker. Funding that
 * comes back to the buyer of the work is no price; the fee of the least funding is.
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

/** Puts a new order, or the next state of one, with everything that is kept beside it. */
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

/** Keeps count of what can be taken from the open market. */
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

/** The verifiers who voted share the fee; what does not divide goes, a unit each, to those who voted first. */
function shareFee(
  state: WritableState,
  { verification, verificationFee }: WorkOrderRecord,
): WorkReceiptRecord['shares'] {
  const votes = verification?.votes ?? [];
  if (votes.length === 0) throw new Error('there are no votes, and yet the vote is decided');
  const each = Math.floor(verificationFee / votes.length);
  const remainder = verificationFee - each * votes.length;
  addToTotal(state, 'verification-fees', verificationFee);
  return votes.map(({ verifierId }, i) => {
    const amount = each + (i < remainder ? 1 : 0);
    if (amount > 0) move(state, ESCROW, verifierId, amount);
    return { amount, verifierId };
  });
}

/** The end of every order: the party in whose favour it ends also gets the bond of a dispute. */
function endOrder(
  context: WriteContext,
  order: WorkOrderRecord,
  end: { status: 'PAID' | 'REJECTED'; reason: WorkRejection | null },
): void {
  const { state, policy } = context;
  const { dispute, requesterId, workerId } = order;
  const isPaid = end.status === 'PAID';
  if (dispute) move(state, BONDS, isPaid ? workerOf(order) : requesterId, dispute.bond);
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
      disputesLost: Number(!isPaid && dispute !== null && isSubstantial(order, policy.work)),
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
 * Ends an order unpaid and gives the requester its funding back. The fee goes back too, unless a committee has
 * decided: verifiers who are paid for accepting only would accept, and those who are paid for rejecting, too, would
 * reject what cannot be judged.
 */
export function rejectOrder(
  context: WriteContext,
  order: WorkOrderRecord,
  reason: WorkRejection,
): void {
  const { state, emit } = context;
  const { orderId, requesterId, workerId, funding, verificationFee } = order;
  const feeIsEarned = reason === 'VERIFICATION_REJECTED' || reason === 'SCOPE_UNJUDGEABLE';
  const refund = funding + (feeIsEarned ? 0 : verificationFee);
  const shares = feeIsEarned ? shareFee(state, order) : [];
  move(state, ESCROW, requesterId, refund);
  endOrder(context, order, { status: 'REJECTED', reason });
  emit('WorkOrderRejected', { orderId, reason, refund, requesterId, shares, workerId });
}

/** Ends a verified order: worker and verifiers paid, receipt written, the worker's referral perhaps qualified. */
export function payOrder(context: WriteContext, order: WorkOrderRecord): void {
  const { state, policy, transitionHash, emit } = context;
  const { orderId, requesterId, funding, result } = order;
  const counts = isSubstantial(order, policy.work);
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
    shares: shareFee(state, order),
    transitionHash,
    workerId,
  };
  state.put('work-receipt', orderId, receipt);
  if (counts) {
    addToWorkStats(state, workerId, { verifiedOrders: 1, earned: funding });
    count(state, 'substantial-orders', 1);
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

/** Work for the referrer, or for another of its recruits, proves nothing. */
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

/** An order that its worker has not delivered, or has given back, on the market again. */
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

/** Funding and fee of a new order into escrow. */
export function fundOrder(state: WritableState, order: WorkOrderRecord): void {
  move(state, order.requesterId, ESCROW, order.funding + order.verificationFee);
}

/** The bond of a worker or of a dispute. */
export function lockBond(state: WritableState, actorId: string, bond: number): void {
  if (bond > 0) move(state, actorId, BONDS, bond);
}

export function returnWorkerBond(state: WritableState, order: WorkOrderRecord): void {
  if (order.workerBond > 0) move(state, BONDS, workerOf(order), order.workerBond);
}

/** Pays the bond of a worker that has not delivered to the requester. */
export function forfeitWorkerBond({ state, emit }: WriteContext, order: WorkOrderRecord): void {
  const { orderId, requesterId, workerBond: amount } = order;
  if (amount === 0) return;
  const workerId = workerOf(order);
  move(state, BONDS, requesterId, amount);
  addToTotal(state, 'worker-bonds-forfeited', amount);
  emit('WorkerBondForfeited', { amount, orderId, requesterId, workerId });
}

/** Takes a part of a bond for the reward pool. */
export function slashBond(state: WritableState, amount: number): void {
  if (balanceOf(state, BONDS) < amount) throw new Error('the bonds do not hold this bond');
  move(state, BONDS, classAccount('reward-pool'), amount);
  addToTotal(state, 'slashed', amount);
}
