/** Sealed votes, from version 2 of the rules on: verifiers commit first, and reveal together. */
import { voteCommitment } from '@netd/protocol';
import { requireThat } from '../../rule-error.ts';
import type { WriteContext } from '../../transition.ts';
import { endJury, endWithoutVerdict } from './end-jury.ts';
import { entering, putOrder, rulesOf, workerOf } from './order.ts';
import type { WorkOrderRecord, WorkVote, WorkVoteCommitment } from './records.ts';
import { verdictOfJury } from './verdict.ts';

type Verification = NonNullable<WorkOrderRecord['verification']>;

/** Juries of this size and more seal their votes, unless the order says otherwise. */
const SEALED_FROM = 3;

/** True if a jury of the order may seal its votes. */
export const mayBeSealed = (order: WorkOrderRecord): boolean =>
  rulesOf(order).atLeast(2) && order.sealedVotes !== false;

export function isSealed(order: WorkOrderRecord, { length }: Verification['committee']): boolean {
  const { verification, sealedVotes = length >= SEALED_FROM } = order;
  if (verification) return verification.commitments !== undefined;
  return rulesOf(order).atLeast(2) && sealedVotes && length > 0;
}

export const votersOf = (
  verification: Verification | null,
): readonly (WorkVote | WorkVoteCommitment)[] =>
  verification?.commitments ?? verification?.votes ?? [];

export function outstandingVoters({
  phase,
  verification,
}: Pick<WorkOrderRecord, 'phase' | 'verification'>): string[] {
  if (!verification || (phase !== 'REVIEW' && phase !== 'REVEAL')) return [];
  const { committee, commitments = [], votes } = verification;
  const asked = phase === 'REVEAL' ? commitments : committee;
  const done = new Set(
    (phase === 'REVEAL' ? votes : votersOf(verification)).map(({ verifierId }) => verifierId),
  );
  return asked.map(({ verifierId }) => verifierId).filter((id) => !done.has(id));
}

export function requireCommitted(
  { orderId }: WorkOrderRecord,
  { round, commitments = [] }: Verification,
  revealed: { verifierId: string; vote: string; salt: string },
): void {
  const own = commitments.find(({ verifierId }) => verifierId === revealed.verifierId);
  requireThat(
    own,
    'VOTE_COMMITMENT_MISMATCH',
    '/payload/verifierId',
    () => 'the verifier has not committed to a vote in time',
  );
  requireThat(
    own.commitment === voteCommitment({ ...revealed, orderId, round }),
    'VOTE_COMMITMENT_MISMATCH',
    '/payload/salt',
  );
}

export function commitVote(
  context: WriteContext,
  order: WorkOrderRecord,
  commitment: WorkVoteCommitment,
): void {
  const { orderId, requesterId, verification } = order;
  if (!verification) throw new Error(`the order ${orderId} has no jury`);
  const commitments = [...(verification.commitments ?? []), commitment];
  const committed = { ...order, verification: { ...verification, commitments } };
  context.emit('WorkVoteCommitted', {
    commitment: commitment.commitment,
    orderId,
    requesterId,
    verifierId: commitment.verifierId,
    workerId: workerOf(order),
  });
  if (commitments.length === verification.committee.length) openReveal(context, committed);
  else putOrder(context.state, order, committed);
}

/**
 * Opens the phase REVEAL at the end of a review if enough have committed to decide, or if it was the last
 * review. Returns false if it stays closed.
 */
export function revealAfterReview(context: WriteContext, order: WorkOrderRecord): boolean {
  const { verification, validationPolicy } = order;
  const count = verification?.commitments?.length ?? 0;
  const least = verification?.round === 1 ? validationPolicy.requiredAccepts : 1;
  if (count < least) return false;
  openReveal(context, order);
  return true;
}

function openReveal(context: WriteContext, order: WorkOrderRecord): void {
  const { orderId, requesterId, verification } = order;
  const reveal = entering('REVEAL', order, context);
  putOrder(context.state, order, { ...order, ...reveal });
  context.emit('WorkRevealOpened', {
    deadline: reveal.deadline,
    orderId,
    requesterId,
    verifierIds: (verification?.commitments ?? []).map(({ verifierId }) => verifierId),
    workerId: workerOf(order),
  });
}

/** Decides by the revealed votes. Votes that were not revealed count as silence. */
export function countVotes(context: WriteContext, order: WorkOrderRecord): void {
  const { verification } = order;
  const verdict = verification && verdictOfJury(order, verification);
  if (verdict === null) endWithoutVerdict(context, order);
  else endJury(context, order, verdict);
}
