/** The story of a finished job, told from its events. */
import type { OrderReason, Part } from '@netd/protocol/sentences';
import { count, counted } from './amount.ts';
import type { ChainEvent } from './stream.ts';

export interface Step {
  height: number;
  tone: 'work' | 'money' | 'trouble';
  parts: Part[];
}

export interface Story {
  orderId: string;
  /** Null if the given events don't reach back to the offer. */
  from: number | null;
  ended: number;
  isPaid: boolean;
  steps: Step[];
}

/** Why an order ended unpaid, as a step of its story. */
const UNPAID: Readonly<Record<OrderReason, string>> = {
  CANCELLED: 'Cancelled',
  ACCEPTANCE_TIMEOUT: 'No agent takes the job in time',
  DELIVERY_TIMEOUT: 'Nothing is delivered in time',
  RELEASED: 'The job is given back',
  VERIFICATION_REJECTED: 'Rejected',
  VERIFICATION_TIMEOUT: 'Too few votes in time',
  UNVERIFIED: 'No vote in time',
  SCOPE_UNJUDGEABLE: 'The jury cannot judge the work',
  DISPUTE_UPHELD: 'The dispute is upheld',
  DISPROVEN: 'The result is proven wrong',
  SPLIT: 'No decision: half is refunded',
};

const ENDS: ReadonlySet<string> = new Set(['WorkOrderPaid', 'WorkOrderRejected']);

/**
 * Returns the id of the order that ended last with a worker.
 * @param events newest first
 */
export function latestFinished(events: readonly ChainEvent[]): string | null {
  const end = events.find(
    ({ type, data }) => ENDS.has(type) && typeof data['workerId'] === 'string',
  );
  return end === undefined ? null : String(end.data['orderId']);
}

/**
 * Returns the story of an order; null if it has not ended in these events.
 * @param events newest first; those of other orders are skipped
 */
export function storyOf(orderId: string, events: readonly ChainEvent[]): Story | null {
  const own = eventsOf(orderId, events);
  const end = own.find(({ type }) => ENDS.has(type));
  if (end === undefined) return null;
  const first = own.find(({ type }) => type === 'WorkOrderCreated');
  return {
    orderId,
    from: first?.height ?? null,
    ended: end.height,
    isPaid: end.type === 'WorkOrderPaid',
    steps: stepsOf(orderId, events),
  };
}

const eventsOf = (orderId: string, events: readonly ChainEvent[]): ChainEvent[] =>
  events.filter(({ data }) => data['orderId'] === orderId).toReversed();

/**
 * Returns the steps of an order until its end, or until now.
 * @param events newest first; those of other orders are skipped
 */
export function stepsOf(orderId: string, events: readonly ChainEvent[]): Step[] {
  const steps: Step[] = [];
  const jury: Jury = { size: 0, votes: new Map() };
  for (const event of eventsOf(orderId, events)) {
    if (event.type === 'WorkVoted') {
      const vote = String(event.data['vote']);
      jury.votes.set(vote, (jury.votes.get(vote) ?? 0) + 1);
      continue;
    }
    if (event.type === 'WorkCommitteeDrawn') jury.size = drawnIn(event);
    // A second jury votes from the start.
    if (event.type === 'DisputeOpened') jury.votes.clear();
    const step = stepOf(event, jury);
    if (step === null) continue;
    steps.push({ height: event.height, ...step });
    if (ENDS.has(event.type)) break;
  }
  return steps;
}

interface Jury {
  /** Jurors; zero while none is drawn. */
  size: number;
  votes: Map<string, number>;
}

const drawnIn = ({ data: { verifierIds } }: ChainEvent): number =>
  Array.isArray(verifierIds) ? verifierIds.length : 0;

/** Returns how many voted so. A verdict stands once enough have, so the others may not vote at all. */
function tally(vote: string, { size, votes }: Jury): string {
  const voted = [...votes.values()].reduce((sum, many) => sum + many, 0);
  if (voted === 0) return '';
  const of = Math.max(size, voted);
  const silent = of > voted ? `, ${count(of - voted)} did not vote` : '';
  return `: ${count(votes.get(vote) ?? 0)} of ${counted(of, 'juror')}${silent}`;
}

function stepOf(event: ChainEvent, jury: Jury): Pick<Step, 'tone' | 'parts'> | null {
  const { type, data } = event;
  const who = (member: string): Part => ({ kind: 'actor', id: String(data[member]) });
  const net = (member: string, and = ''): Part => ({
    kind: 'net',
    unet: Number(data[member] ?? 0) + Number(data[and] ?? 0),
  });
  switch (type) {
    case 'WorkOrderCreated':
      return {
        tone: 'work',
        parts: [who('requesterId'), ' locks ', net('funding', 'verificationFee')],
      };
    case 'WorkAccepted':
      return { tone: 'work', parts: [who('workerId'), ' takes the job'] };
    case 'WorkReleased':
      return { tone: 'trouble', parts: [who('workerId'), ' gives the job back'] };
    case 'WorkResultSubmitted':
      return { tone: 'work', parts: [who('workerId'), ' delivers'] };
    case 'WorkCommitteeDrawn':
      return jury.size === 0
        ? { tone: 'trouble', parts: ['Too few verifiers for a jury'] }
        : {
            tone: 'work',
            parts: [`${ordinal(data['round'])} jury of ${jury.size} is drawn by lot`],
          };
    case 'WorkVerified':
      return { tone: 'work', parts: [`The jury accepts the work${tally('ACCEPT', jury)}`] };
    case 'WorkVotedDown':
      return { tone: 'trouble', parts: [`The jury rejects the work${tally('REJECT', jury)}`] };
    case 'WorkUnjudged':
      return { tone: 'trouble', parts: ['No jury could judge the work'] };
    case 'DisputeOpened':
      return { tone: 'trouble', parts: [who('actorId'), ' disputes the result'] };
    case 'DisputeResolved':
      return { tone: 'work', parts: [who('operatorId'), ' decides the dispute'] };
    case 'WorkOrderPaid':
      return { tone: 'money', parts: [who('workerId'), ' is paid ', net('paid')] };
    case 'WorkOrderRejected':
      return {
        tone: 'trouble',
        parts: [`${unpaid(data['reason'])}. `, net('refund'), ' goes back to ', who('requesterId')],
      };
    default:
      return null;
  }
}

const ordinal = (round: unknown): string => (Number(round) > 1 ? 'Another' : 'A');

const unpaid = (reason: unknown): string =>
  Object.hasOwn(UNPAID, String(reason)) ? UNPAID[reason as OrderReason] : 'Not paid';
