/** Computes an order from its own events. */
import { SECOND_JURY } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk/core';
import type { Data } from '@netd/protocol/sentences';

export type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];
type Jury = NonNullable<Order['verification']>;
type Position = Order['createdAt'];

export interface OrderEvent {
  type: string;
  data: Data;
  transitionIndex: number;
  transitionHash: string;
  block: { height: number };
}

/**
 * Returns the order after these events; null before its first one.
 * @param newest source of the members that never change and that no event names, such as the title
 * @param events oldest first, from the first one on
 */
export const orderAfter = (newest: Order, events: readonly OrderEvent[]): Order | null =>
  events.reduce<Order | null>(
    (order, event) =>
      event.type === 'WorkOrderCreated'
        ? createdBy(newest, event)
        : order && { ...order, ...changeBy(event, order, newest) },
    null,
  );

/** True if an operator may have to decide. A second jury without a verdict ends without an event. */
export const mayAwaitOperator = ({ phase, verification }: Order): boolean =>
  verification?.round === SECOND_JURY && (phase === 'REVIEW' || phase === 'REVEAL');

/** An audit has at most this many events. */
const MOST_EVENTS = 100;

/**
 * Returns the members in which the newest order differs from the order that its events lead to.
 * @param isCut true if the node claims to have more events; ignored unless this list is full
 */
export function unexplained(newest: Order, events: readonly OrderEvent[], isCut = false): string[] {
  if (isCut && events.length >= MOST_EVENTS) return [];
  const folded = orderAfter(newest, events);
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
    deadline: null,
    endedAt: null,
  };
}

const positionOf = ({ block, transitionIndex }: OrderEvent): Position => ({
  height: block.height,
  index: transitionIndex,
});

const NO_JURY: Jury = { committee: [], round: 0, sampled: false, seed: '', votes: [] };

/** Members of later events. Each event has some of them. */
interface Told {
  workerId: string;
  deliverableHash: string;
  verifierIds: string[];
  round: number;
  seed: string;
  sampled: boolean;
  verifierId: string;
  commitment: string;
  vote: Jury['votes'][number]['vote'];
  evidenceHash: string;
  actorId: string;
  reasonHash: string;
  bond: number;
  reason: never;
  answer: NonNullable<Order['knownAnswer']>;
}

/** A malformed event leads to an order that differs from the proven one, see `unexplained`. */
function changeBy(event: OrderEvent, order: Order, newest: Order): Partial<Order> {
  const data = event.data as unknown as Told;
  const at = positionOf(event);
  const jury = order.verification ?? NO_JURY;
  const voter = (verifierId: string) => ({
    verifierId,
    independenceGroup: groupOf(newest, verifierId),
  });
  switch (event.type) {
    case 'WorkAccepted':
      return { status: 'ACCEPTED', phase: 'ACCEPTED', workerId: data.workerId, acceptedAt: at };
    case 'WorkReleased':
      return { releasedBy: [...order.releasedBy, data.workerId] };
    case 'WorkOrderReopened': {
      const isReleased = order.releasedBy.at(-1) === order.workerId;
      const returns = order.returns + Number(!isReleased);
      return { status: 'OPEN', phase: 'OPEN', workerId: null, acceptedAt: null, returns };
    }
    case 'WorkResultSubmitted':
      return {
        status: 'VERIFYING',
        phase: 'DRAWING',
        result: {
          deliverableHash: data.deliverableHash,
          evidence: newest.result?.evidence ?? null,
          transitionHash: event.transitionHash,
          submittedAt: at,
        },
      };
    case 'WorkCommitteeDrawn': {
      const committee = data.verifierIds.map(voter);
      const { round, seed, sampled } = data;
      return {
        // Without a second jury, an operator decides.
        phase: committee.length === 0 && round === SECOND_JURY ? 'DISPUTED' : 'REVIEW',
        verification: { ...jury, round, seed, sampled, committee },
      };
    }
    case 'WorkVoteCommitted': {
      const commitment = { ...voter(data.verifierId), commitment: data.commitment };
      const commitments = [...(jury.commitments ?? []), { ...commitment, committedAt: at }];
      return { verification: { ...jury, commitments } };
    }
    case 'WorkRevealOpened':
      return { phase: 'REVEAL' };
    case 'WorkVoted': {
      const { vote, evidenceHash } = data;
      const unnamed = { reExecutionHash: null, session: null };
      const cast = { ...voter(data.verifierId), vote, evidenceHash, ...unnamed, votedAt: at };
      return { verification: { ...jury, votes: [...jury.votes, cast] } };
    }
    case 'WorkVerified':
      return { phase: 'VERIFIED' };
    case 'WorkVotedDown':
      return { phase: 'VOTED_DOWN' };
    case 'WorkUnjudged':
      return { phase: 'UNJUDGED', unjudged: data.reason };
    case 'DisputeOpened': {
      const { actorId: openedBy, reasonHash, bond } = data;
      const dispute = { openedBy, reasonHash, bond, openedAt: at };
      // Before version 2 of the rules, an operator decided every dispute.
      if ((order.rulesVersion ?? 1) < 2) return { phase: 'DISPUTED', dispute };
      return order.phase === 'UNJUDGED'
        ? { phase: 'CONTESTED', dispute }
        : { ...awaitingSecondJury(order), dispute };
    }
    case 'DisputeAnswered': {
      const answerBond = data.bond;
      const { dispute } = order;
      if (!dispute) return {};
      return { ...awaitingSecondJury(order), dispute: { ...dispute, answeredAt: at, answerBond } };
    }
    case 'WorkOrderPaid':
      return { status: 'PAID', phase: 'ENDED', endedAt: at };
    case 'WorkOrderRejected':
      return { status: 'REJECTED', phase: 'ENDED', reason: data.reason, endedAt: at };
    case 'AnswerPublished':
      return { knownAnswer: data.answer };
    default:
      return {};
  }
}

const awaitingSecondJury = ({ verification }: Order): Partial<Order> => ({
  phase: 'DRAWING',
  firstVerification: verification,
  verification: null,
});

/** Returns the group of a verifier; empty if its jury was drawn again without it. */
function groupOf({ verification, firstVerification }: Order, verifierId: string): string {
  const seats = [verification, firstVerification].flatMap((jury) => jury?.committee ?? []);
  return seats.find((seat) => seat.verifierId === verifierId)?.independenceGroup ?? '';
}
