/** The phase of an order, and its next step. The ledger's rules are in `actions/work` and `system/work.ts`. */
import { fill, plainText, words, type Data, type Part } from './fill.ts';

type OrderTone = 'work' | 'warn' | 'money' | 'trouble';

/** Tone, title and sentence of each phase. `ORDER_REASONS` has the sentences of the end. */
export const ORDER_PHASES = {
  OPEN: [
    'work',
    'Open',
    '[{agentId}|Any agent] can accept it. If none does before the deadline, the order ends and its requester is refunded.',
  ],
  ACCEPTED: [
    'work',
    'In progress',
    '[{workerId}|The worker] delivers it or gives it back. After a missed deadline the requester gets the bond, if there is one. An order on the open market then opens again, once; any other ends with a refund.',
  ],
  DRAWING: ['work', 'Delivered', 'The next block draws the verifiers.'],
  REVIEW: [
    'warn',
    'In review',
    '[{commitments:count} of {committee:count} verifiers have committed to a sealed vote. ][{votes:count} of {committee:count} verifiers have voted. ]{requiredAccepts:text} verifiers must accept the result. If too few vote before the deadline, verifiers are drawn again, once; then [{rulesVersion:if}the result counts as accepted unless the requester contests it|the order ends with a refund].',
  ],
  REVEAL: [
    'warn',
    'Votes are revealed',
    '[{votes:count} of {commitments:count} verifiers have revealed the votes that they committed to. ]The votes count when all are revealed, or at the deadline; an unrevealed vote counts as silence. If too few are revealed to decide, the result counts as accepted unless the requester contests it.',
  ],
  VERIFIED: [
    'money',
    'Verified',
    '[{rulesVersion:if}The requester can dispute it, with half the funding as bond,|Requester and worker can dispute it] until the dispute window closes. Then anyone can settle it, and the worker is paid by the deadline at the latest.',
  ],
  VOTED_DOWN: [
    'trouble',
    'Rejected by the jury',
    'The requester is refunded when the dispute window closes, unless [{workerId}|the worker] disputes the verdict, with half the funding as bond. Then a larger second jury judges.',
  ],
  CONTESTED: [
    'trouble',
    'Disputed without a verdict',
    'The other side answers before the deadline, with the same bond or all it holds, or loses. After the answer a larger second jury judges.',
  ],
  UNJUDGED: [
    'warn',
    'No verdict',
    '[{unjudged:unjudged}. ]The result counts as accepted when the dispute window closes, unless the requester disputes it, with half the funding as bond. Then anyone can settle it, and the worker is paid by the deadline at the latest.',
  ],
  DISPUTED: [
    'trouble',
    'Disputed',
    'An operator decides. The bond of the dispute goes to the side in whose favor the order ends. Without a decision before the deadline, [{rulesVersion:if}the first verdict holds; if there was none, the funding is split, and both bonds are lost|the worker is paid, as the verifiers voted].',
  ],
  ENDED: [
    'money',
    'Paid',
    '[The worker was paid {funding:net}|The worker was paid][{unjudged:if}, because the requester did not contest the result in time|, and the verifiers who voted share the fee].',
  ],
} as const satisfies Record<string, readonly [OrderTone, string, string]>;

const PAID_AFTER_DISPUTE =
  '[The worker was paid {funding:net}|The worker was paid] after a dispute about the result.';

export const ORDER_REASONS = {
  CANCELLED: 'The requester cancelled it before an agent accepted it.',
  ACCEPTANCE_TIMEOUT:
    'No agent accepted it before the deadline. More time, more money or fewer requirements may bring one.',
  DELIVERY_TIMEOUT: 'The worker delivered nothing before the deadline.',
  RELEASED:
    'The worker gave it back. That ends an order for one agent at once, and an order on the open market at the eighth time.',
  VERIFICATION_REJECTED:
    'Too few verifiers accepted the result. Each gives its reason in the evidence of its vote.',
  VERIFICATION_TIMEOUT:
    'Too few verifiers voted in time, in two rounds. That says nothing against the work.',
  UNVERIFIED: 'No verifier voted in time, in two rounds. That says nothing against the work.',
  SCOPE_UNJUDGEABLE:
    'The verifiers could not judge the work by its scope. That counts against the order, not against the work.',
  DISPUTE_UPHELD: 'It was disputed, and the dispute was decided against the work, or not answered.',
  DISPROVEN: 'A party proved that the result does not meet the acceptance.',
  SPLIT:
    'Nobody decided the dispute about it. Each side got half the funding, less what it lacked for its bond, and lost the bond.',
} as const;

/** End of sentences about an order without a decision, whose fee went back too. */
const REFUND = ' The funding and the fee went back to the requester.';
/** End of sentences about an order without a verdict, whose fee was already refunded or shared. */
const FUNDING_ONLY = ' The funding went back to the requester.';
const DECIDED =
  ' The funding went back to the requester, and the verifiers who voted share the fee.';
const DECISIONS: readonly string[] = ['VERIFICATION_REJECTED', 'SCOPE_UNJUDGEABLE'];

export type OrderPhase = keyof typeof ORDER_PHASES;
export type OrderReason = keyof typeof ORDER_REASONS;

export interface OrderFacts<Time> {
  phase: OrderPhase;
  status: string;
  reason: OrderReason | null;
  deadline: Time | null;
  disputableUntil: Time | null;
  unjudged?: string | null;
  dispute?: unknown;
  rulesVersion?: number;
  verification: {
    committee: readonly unknown[];
    votes: readonly unknown[];
    commitments?: readonly unknown[];
  } | null;
  validationPolicy: { requiredAccepts: number };
}

export interface OrderNext<Time> {
  tone: OrderTone;
  now: string;
  next: Part[];
  /** Latest time of the next step; null if nothing is due. */
  by: Time | null;
}

export function nextOfOrder<Time>(order: OrderFacts<Time>): OrderNext<Time> {
  const { phase, status, reason, verification, validationPolicy, deadline } = order;
  if (phase === 'ENDED' && status !== 'PAID') {
    // A newer node may have further reasons.
    const known: Readonly<Record<string, string>> = ORDER_REASONS;
    const why = known[String(reason)] ?? `Reason: ${words(String(reason))}.`;
    const whole = order.unjudged ? FUNDING_ONLY : REFUND;
    const decided = DECISIONS.includes(String(reason)) ? DECIDED : whole;
    const refund = reason === 'SPLIT' ? '' : decided;
    const now = reason === 'SPLIT' ? 'Split' : 'Ended unpaid';
    return { tone: 'trouble', now, next: [why + refund], by: null };
  }
  const [tone, now, sentence] = phaseOf(phase);
  return {
    tone,
    now,
    next: fill(phase === 'ENDED' && order.dispute ? PAID_AFTER_DISPUTE : sentence, {
      ...order,
      ...verification,
      ...validationPolicy,
    }),
    by: phase === 'VERIFIED' || phase === 'UNJUDGED' ? order.disputableUntil : deadline,
  };
}

export function phaseText(phase: OrderPhase, facts: Data = {}): string {
  return plainText(fill(phaseOf(phase)[2], facts));
}

const phaseOf = (phase: OrderPhase): readonly [OrderTone, string, string] =>
  Object.hasOwn(ORDER_PHASES, phase) ? ORDER_PHASES[phase] : ['work', words(phase), ''];
