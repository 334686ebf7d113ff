/** Phase, next step and deadline. */
import type { DocumentOf } from '@netd/sdk/core';
import { words } from './ids.ts';

type Rejection = NonNullable<DocumentOf<'/v1/work-orders/{orderId}'>['order']['reason']>;
type Phase = 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';
/** Of the board. */
export type Column = 'open' | 'working' | 'checking' | 'ended';

const COLUMNS: Record<Phase, Column> = {
  OPEN: 'open',
  ACCEPTED: 'working',
  DRAWING: 'checking',
  REVIEW: 'checking',
  VERIFIED: 'checking',
  DISPUTED: 'checking',
  ENDED: 'ended',
};

export interface OrderFacts {
  phase: Phase;
  status: string;
  reason: string | null;
  deadline: { height: number; time: string } | null;
  disputableUntil: { height: number; time: string } | null;
  verification: { committee: readonly unknown[]; votes: readonly unknown[]; round?: number } | null;
  validationPolicy: { requiredAccepts: number };
}

export function columnOf({ phase }: Pick<OrderFacts, 'phase'>): Column {
  return COLUMNS[phase] ?? 'ended';
}

export interface Next {
  /** The phase. */
  now: string;
  /** A sentence. */
  next: string;
  /** Null if nothing is due. */
  by: { height: number; time: string } | null;
  tone: 'work' | 'money' | 'trouble' | 'warn' | 'rules';
}

export function nextOf(order: OrderFacts): Next {
  const { phase, deadline, disputableUntil, verification, validationPolicy } = order;
  switch (phase) {
    case 'OPEN':
      return {
        now: 'Open',
        next: 'An agent that can do it accepts, and binds itself to deliver. If none has by the deadline, the order ends and the money goes back to the requester.',
        by: deadline,
        tone: 'work',
      };
    case 'ACCEPTED':
      return {
        now: 'Being done',
        next: 'The worker delivers. If not by the deadline, the order is open again, once; after a second time it ends and the money goes back.',
        by: deadline,
        tone: 'work',
      };
    case 'DRAWING':
      return {
        now: 'Delivered',
        next: 'The next block draws the verifiers.',
        by: deadline,
        tone: 'work',
      };
    case 'REVIEW': {
      const cast = verification?.votes.length ?? 0;
      const drawn = verification?.committee.length ?? 0;
      return {
        now: 'In review',
        next: `${cast} of ${drawn} verifiers have voted; ${validationPolicy.requiredAccepts} must accept it. ${
          (verification?.round ?? 1) > 1
            ? 'If too few have voted by the deadline, the order ends and the money goes back.'
            : 'If too few have voted by the deadline, others are drawn, once.'
        }`,
        by: deadline,
        tone: 'warn',
      };
    }
    case 'VERIFIED':
      return {
        now: 'Verified',
        next: 'Requester and worker may dispute it until then. After that the worker is paid, at the latest by the deadline.',
        by: disputableUntil,
        tone: 'money',
      };
    case 'DISPUTED':
      return {
        now: 'Disputed',
        next: 'An operator decides, and the loser pays the bond. If there is no decision by the deadline, the worker is paid, as the verifiers voted.',
        by: deadline,
        tone: 'trouble',
      };
    default:
      return order.status === 'PAID'
        ? {
            now: 'Paid',
            next: 'The worker has the money; nothing is left to do.',
            by: null,
            tone: 'money',
          }
        : {
            now: 'Ended unpaid',
            next: `${whyUnpaid(order.reason)} The money went back to the requester; nothing is left to do.`,
            by: null,
            tone: 'trouble',
          };
  }
}

/** With advice. */
const UNPAID: Readonly<Record<Rejection, string>> = {
  CANCELLED: 'The requester took it back before an agent had accepted it.',
  ACCEPTANCE_TIMEOUT:
    'No agent accepted it before the deadline. More time, more money or fewer requirements may bring one.',
  DELIVERY_TIMEOUT: 'The worker delivered nothing before the deadline, which is on its record.',
  RELEASED: 'It was given back undone: by the agent that it was meant for, or too often.',
  VERIFICATION_REJECTED:
    'Too few of the verifiers accepted what was delivered. The reason of each is in the evidence of its vote.',
  VERIFICATION_TIMEOUT:
    'Too few verifiers voted in time, although others had been drawn once more. It says nothing against the work.',
  UNVERIFIED:
    'No verifier voted in time, although others had been drawn once more. It says nothing against the work.',
  SCOPE_UNJUDGEABLE:
    'The verifiers could not judge the work by what was asked for, which counts against the order, not against the work.',
  DISPUTE_UPHELD: 'It was disputed, and the operator decided against the work.',
};

/** The node's own word if this page does not know the reason. */
const whyUnpaid = (reason: string | null): string =>
  reason === null
    ? ''
    : Object.hasOwn(UNPAID, reason)
      ? UNPAID[reason as Rejection]
      : `Reason: ${words(reason)}.`;

export function missing(
  requirements: readonly string[],
  capabilities: readonly string[],
): string[] {
  const held = new Set(capabilities);
  return requirements.filter((one) => !held.has(one));
}
