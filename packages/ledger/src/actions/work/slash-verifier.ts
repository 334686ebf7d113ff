import { hashValue } from '@netd/protocol';
import type { ReadableState } from '../../state.ts';
import { positionOf, type WriteContext } from '../../transition.ts';
import type { VerifierRecord } from '../operators/records.ts';
import { slashBond } from './order.ts';
import type { WorkOrderRecord, WorkVote } from './records.ts';

export const SLASHED_PART = 10;

/** Names one offense per order, so that more proofs do not slash again. */
export const evidenceOf = (verifierId: string, orderId: string): string =>
  hashValue({ verifierId, orderId });

export const partOf = ({ bond }: Pick<VerifierRecord, 'bond'>): number =>
  Math.floor(bond / SLASHED_PART);

export const isSlashedFor = (state: ReadableState, evidenceHash: string): boolean =>
  state.get('verifier-evidence', evidenceHash) !== undefined;

/** Moves a tenth of the bond to the reward pool. */
export function slashVerifier(
  context: WriteContext,
  verifier: VerifierRecord,
  orderId: string,
): { evidenceHash: string; slashed: number } {
  const { state } = context;
  const { actorId: verifierId, bond } = verifier;
  const slashed = partOf(verifier);
  const evidenceHash = evidenceOf(verifierId, orderId);
  slashBond(state, slashed);
  state.put('verifier', verifierId, { ...verifier, bond: bond - slashed });
  const submittedAt = positionOf(context);
  state.put('verifier-evidence', evidenceHash, { orderId, slashed, submittedAt, verifierId });
  return { evidenceHash, slashed };
}

/** Slashes the jurors whose votes a proof contradicts. Sealed votes that were not revealed cost nothing. */
export function slashDisproven(
  context: WriteContext,
  { orderId, firstVerification, verification }: WorkOrderRecord,
  wrong: WorkVote['vote'],
): void {
  const { state, emit } = context;
  for (const { verifierId, vote } of [firstVerification, verification].flatMap(
    (jury) => jury?.votes ?? [],
  )) {
    const verifier = state.get('verifier', verifierId);
    if (vote !== wrong || !verifier || partOf(verifier) === 0) continue;
    if (isSlashedFor(state, evidenceOf(verifierId, orderId))) continue;
    const { evidenceHash, slashed } = slashVerifier(context, verifier, orderId);
    emit('VoteDisproven', { evidenceHash, orderId, slashed, verifierId });
  }
}
