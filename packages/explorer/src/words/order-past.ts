/** Computes an order from its own events. */
import { SECOND_JURY } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk/core';
import type { Data } from '@netd/protocol/sentences';
import { textIn } from './stream.ts';

export type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];
type Jury = NonNullable<Order['verification']>;
type Position = Order['createdAt'];
type Deadline = NonNullable<Order['deadline']>;
type Span = Order['deliverWithin'];

/** Spans of the policy, which genesis sets for good. */
export interface PolicySpans {
  settleWithin: Span;
  resolveWithin: Span;
}

export interface OrderEvent {
  type: string;
  data: Data;
  transitionIndex: number;
  transitionHash: string;
  block: { height: number; timestamp: string };
}

/**
 * Returns the order after these events; null before its first one.
 * @param newest source of the members that never change and that no event names, such as the title
 * @param events oldest first, from the first one on
 * @param spans without them, deadlines of a settlement and of an operator are null
 */
export function orderAfter(
  newest: Order,
  events: readonly OrderEvent[],
  spans?: PolicySpans,
): Order | null {
  const order = events.reduce<Order | null>((before, event) => after(before, event, newest), null);
  return order && { ...order, deadline: order.deadline ?? policyDeadline(order, events, spans) };
}

function policyDeadline(
  { phase, disputableUntil }: Order,
  events: readonly OrderEvent[],
  spans?: PolicySpans,
): Deadline | null {
  if ((phase === 'VERIFIED' || phase === 'UNJUDGED') && disputableUntil)
    return deadlineBeyond(disputableUntil.height, disputableUntil.time, spans?.settleWithin);
  const disputed = events.findLast(({ type }) => MAY_ASK_OPERATOR.has(type));
  return phase === 'DISPUTED' && disputed ? deadlineAfter(disputed, spans?.resolveWithin) : null;
}

/** Events after which an operator may have to decide. */
const MAY_ASK_OPERATOR: ReadonlySet<string> = new Set(['DisputeOpened', 'WorkCommitteeDrawn']);

const after = (order: Order | null, event: OrderEvent, newest: Order): Order | null =>
  event.type === 'WorkOrderCreated'
    ? createdBy(newest, event)
    : order && { ...order, ...changeBy(event, order, newest) };

/**
 * True if a step before this event is missing that the newest order does not show: an acceptance whose deadline
 * passed, or a jury that was replaced.
 */
function isAfterMissing(event: OrderEvent, { workerId, verification }: Order): boolean {
  if (event.type === 'WorkCommitteeDrawn') {
    const round = numberIn(event, 'round');
    return round !== SECOND_JURY && round !== (verification?.round ?? 0) + 1;
  }
  const named = textIn(event, 'workerId');
  return named !== null && event.type !== 'WorkAccepted' && named !== workerId;
}

/** True if an operator may have to decide. A second jury without a verdict ends without an event. */
export const mayAwaitOperator = ({ phase, verification }: Order): boolean =>
  verification?.round === SECOND_JURY && (phase === 'REVIEW' || phase === 'REVEAL');

/**
 * Returns the members in which the newest order differs from the order that its events lead to, and `events` if one
 * must be missing between them. No order has more events than an audit lists, so it does not matter if a node says
 * that there are more.
 */
export function unexplained(newest: Order, events: readonly OrderEvent[]): string[] {
  let folded: Order | null = null;
  for (const event of events) {
    if (folded !== null && isAfterMissing(event, folded)) return ['events'];
    folded = after(folded, event, newest);
  }
  if (folded === null) return ['events'];
  const [told, known] = [factsOf(folded), factsOf(newest)];
  const isWaiting = newest.phase === 'DISPUTED' && mayAwaitOperator(folded);
  return Object.keys(told).filter(
    (name) =>
      JSON.stringify(told[name]) !== JSON.stringify(known[name]) &&
      !(isWaiting && name === 'phase'),
  );
}

/** Returns the facts of an order that its events determine, in a form that can be compared as text. */
function factsOf(order: Order): Record<string, unknown> {
  const { createdAt, acceptedAt, endedAt, result, dispute, verification } = order;
  const { requesterId, agentId, scopeHash, funding, verificationFee, workerBond } = order;
  const { status, phase, reason, workerId, returns, releasedBy } = order;
  return {
    terms: [requesterId, agentId, scopeHash, funding, verificationFee, workerBond],
    status,
    phase,
    reason,
    workerId,
    returns,
    releasedBy,
    unjudged: order.unjudged ?? null,
    'known answer': order.knownAnswer ?? null,
    'times of its steps': [createdAt, acceptedAt, endedAt].map(placeOf),
    result: result && [result.deliverableHash, result.transitionHash, placeOf(result.submittedAt)],
    dispute: dispute && [
      dispute.openedBy,
      dispute.reasonHash,
      dispute.bond,
      placeOf(dispute.openedAt),
      placeOf(dispute.answeredAt),
    ],
    verification: juryFacts(verification),
    'first verification': juryFacts(order.firstVerification),
  };
}

const placeOf = (at: Position | null | undefined): string | null =>
  at ? `${at.height}.${at.index}` : null;

const juryFacts = (jury: Jury | null = null): unknown =>
  jury && [
    jury.round,
    jury.seed,
    jury.committee.map(({ verifierId }) => verifierId),
    jury.votes.map((one) => [one.verifierId, one.vote, one.evidenceHash, placeOf(one.votedAt)]),
    (jury.commitments ?? []).map((one) => [one.verifierId, placeOf(one.committedAt)]),
  ];

/** Members that the first event names. */
type Named = Pick<
  Order,
  | 'requesterId'
  | 'assignmentMode'
  | 'agentId'
  | 'scopeHash'
  | 'funding'
  | 'verificationFee'
  | 'workerBond'
>;

function createdBy(newest: Order, event: OrderEvent): Order {
  const { knownAnswer: _, ...terms } = newest;
  return {
    ...terms,
    ...(event.data as unknown as Named),
    status: 'OPEN',
    phase: 'OPEN',
    reason: null,
    workerId: null,
    createdAt: positionOf(event),
    acceptedAt: null,
    returns: 0,
    releasedBy: [],
    result: null,
    verification: null,
    firstVerification: null,
    unjudged: null,
    disputableUntil: null,
    dispute: null,
    deadline: deadlineAfter(event, newest.acceptWithin),
    endedAt: null,
  };
}

const positionOf = ({ block, transitionIndex }: OrderEvent): Position => ({
  height: block.height,
  index: transitionIndex,
});

const NO_JURY: Jury = { committee: [], round: 0, sampled: false, seed: '', votes: [] };

/** Returns the texts in a list of an event's data. */
function textsIn({ data }: OrderEvent, member: string): string[] {
  const list = data[member];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function numberIn({ data }: OrderEvent, member: string): number {
  const value = data[member];
  return typeof value === 'number' ? value : 0;
}

/** Returns the deadline at the end of a span that began with the event's block. */
const deadlineAfter = ({ block }: OrderEvent, span?: Partial<Span>): Deadline | null =>
  deadlineBeyond(block.height, block.timestamp, span);

const deadlineBeyond = (height: number, time: string, span: Partial<Span> = {}): Deadline | null =>
  deadlineOf({
    height: height + (span.heights ?? NaN),
    time: Date.parse(time) + (span.milliseconds ?? NaN),
  });

const deadlineIn = ({ data }: OrderEvent, member: string): Deadline | null =>
  deadlineOf(data[member] ?? {});

/** @param found with the time in milliseconds; an event could have anything else */
function deadlineOf({ height, time }: { height?: unknown; time?: unknown }): Deadline | null {
  const date = new Date(typeof time === 'number' ? time : NaN);
  const isDeadline = Number.isSafeInteger(height) && !Number.isNaN(date.getTime());
  return isDeadline ? { height: Number(height), time: date.toISOString() } : null;
}

/**
 * Returns the members that an event changes. A malformed event leads to an order that differs from the proven one,
 * see `unexplained`.
 * Deadlines that depend on the policy are null, see `policyDeadline`.
 */
function changeBy(event: OrderEvent, order: Order, newest: Order): Partial<Order> {
  const text = (member: string): string => textIn(event, member) ?? '';
  const at = positionOf(event);
  const jury = order.verification ?? NO_JURY;
  const voter = (verifierId: string) => ({
    verifierId,
    independenceGroup: groupOf(newest, verifierId),
  });
  switch (event.type) {
    case 'WorkAccepted':
      return {
        status: 'ACCEPTED',
        phase: 'ACCEPTED',
        workerId: text('workerId'),
        acceptedAt: at,
        deadline: deadlineAfter(event, newest.deliverWithin),
      };
    case 'WorkReleased':
      return { releasedBy: [...order.releasedBy, text('workerId')] };
    case 'WorkOrderReopened': {
      const isReleased = order.releasedBy.at(-1) === order.workerId;
      const returns = order.returns + Number(!isReleased);
      const deadline = deadlineAfter(event, newest.acceptWithin);
      return { status: 'OPEN', phase: 'OPEN', workerId: null, acceptedAt: null, returns, deadline };
    }
    case 'WorkResultSubmitted':
      return {
        status: 'VERIFYING',
        phase: 'DRAWING',
        result: {
          deliverableHash: text('deliverableHash'),
          evidence: newest.result?.evidence ?? null,
          transitionHash: event.transitionHash,
          submittedAt: at,
        },
        deadline: null,
      };
    case 'WorkCommitteeDrawn': {
      const committee = textsIn(event, 'verifierIds').map(voter);
      const [round, seed] = [numberIn(event, 'round'), text('seed')];
      const verification = {
        ...jury,
        round,
        seed,
        sampled: event.data['sampled'] === true,
        committee,
      };
      // Without a second jury, an operator decides.
      return committee.length === 0 && round === SECOND_JURY
        ? { phase: 'DISPUTED', verification, deadline: null }
        : { phase: 'REVIEW', verification, deadline: deadlineAfter(event, newest.verifyWithin) };
    }
    case 'WorkVoteCommitted': {
      const commitment = { ...voter(text('verifierId')), commitment: text('commitment') };
      const commitments = [...(jury.commitments ?? []), { ...commitment, committedAt: at }];
      return { verification: { ...jury, commitments } };
    }
    case 'WorkRevealOpened':
      return { phase: 'REVEAL', deadline: deadlineIn(event, 'deadline') };
    case 'WorkVoted': {
      const vote = text('vote') as Jury['votes'][number]['vote'];
      const unnamed = { reExecutionHash: null, session: null };
      const cast = { ...voter(text('verifierId')), vote, evidenceHash: text('evidenceHash') };
      return {
        verification: { ...jury, votes: [...jury.votes, { ...cast, ...unnamed, votedAt: at }] },
      };
    }
    case 'WorkVerified':
      return { phase: 'VERIFIED', ...disputable(event), deadline: null };
    case 'WorkVotedDown': {
      const { disputableUntil } = disputable(event);
      return { phase: 'VOTED_DOWN', disputableUntil, deadline: disputableUntil };
    }
    case 'WorkUnjudged': {
      const unjudged = text('reason') as NonNullable<Order['unjudged']>;
      return { phase: 'UNJUDGED', unjudged, ...disputable(event), deadline: null };
    }
    case 'DisputeOpened': {
      const bond = numberIn(event, 'bond');
      const said = { openedBy: text('actorId'), reasonHash: text('reasonHash'), bond };
      const dispute = { ...said, openedAt: at };
      // Before version 2 of the rules, an operator decided every dispute.
      if ((order.rulesVersion ?? 1) < 2) return { phase: 'DISPUTED', dispute, deadline: null };
      if (order.phase !== 'UNJUDGED') return { ...awaitingSecondJury(order), dispute };
      const deadline = deadlineAfter(event, newest.verifyWithin);
      return { phase: 'CONTESTED', dispute, disputableUntil: deadline, deadline };
    }
    case 'DisputeAnswered': {
      const answerBond = numberIn(event, 'bond');
      const { dispute } = order;
      if (!dispute) return {};
      return { ...awaitingSecondJury(order), dispute: { ...dispute, answeredAt: at, answerBond } };
    }
    case 'WorkOrderPaid':
      return { status: 'PAID', phase: 'ENDED', endedAt: at, deadline: null };
    case 'WorkOrderRejected': {
      const reason = text('reason') as Order['reason'];
      return { status: 'REJECTED', phase: 'ENDED', reason, endedAt: at, deadline: null };
    }
    case 'AnswerPublished':
      return { knownAnswer: event.data['answer'] as NonNullable<Order['knownAnswer']> };
    default:
      return {};
  }
}

const disputable = (event: OrderEvent): Pick<Order, 'disputableUntil'> => ({
  disputableUntil: deadlineIn(event, 'disputableUntil'),
});

const awaitingSecondJury = ({ verification }: Order): Partial<Order> => ({
  phase: 'DRAWING',
  firstVerification: verification,
  verification: null,
  deadline: null,
});

/** Returns the group of a verifier; empty if its jury was drawn again without it. */
function groupOf({ verification, firstVerification }: Order, verifierId: string): string {
  const seats = [verification, firstVerification].flatMap((jury) => jury?.committee ?? []);
  return seats.find((seat) => seat.verifierId === verifierId)?.independenceGroup ?? '';
}
