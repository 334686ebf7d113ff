/**
 * A verifier's part in a jury, whose votes may be sealed. Nothing is stored, because the key gives the same
 * salt again.
 */
import { canonicalize, SECOND_JURY, sha256Hex, utf8Bytes, voteCommitment } from '@netd/protocol';
import type { PayloadFor } from './actions.ts';
import type { WorkOrder } from './agent/parts.ts';
import type { Actor } from './client.ts';
import { VerificationError, type VerifiedReader } from './verified-reader.ts';

const VOTES = ['ACCEPT', 'REJECT', 'UNJUDGEABLE'] as const;

type Jury = Pick<WorkOrder, 'orderId' | 'phase' | 'verification' | 'result'>;

/** The vote of a verifier, with its evidence. */
export interface Ballot {
  /** ACCEPT, REJECT or UNJUDGEABLE. */
  vote: (typeof VOTES)[number];
  /** Hash of the reasons. Sealed votes are revealed with it. */
  evidenceHash: string;
  /** Result of your own run, if the order is sampled. */
  reExecutionHash?: string;
}

/** True if the verifier has a vote, a commitment or a revelation to send. */
export function awaitsVote({ phase, verification }: Jury, verifierId: string): boolean {
  if (!verification) return false;
  const { committee, commitments, votes } = verification;
  const isIn = (list: readonly { verifierId: string }[]): boolean =>
    list.some((one) => one.verifierId === verifierId);
  if (phase === 'REVEAL') return isIn(commitments ?? []) && !isIn(votes);
  return phase === 'REVIEW' && isIn(committee) && !isIn(commitments ?? votes);
}

/**
 * Returns the next payload of `voteWork`: a vote, a commitment to a sealed vote, or the vote that opens the
 * commitment. A revealed vote is the committed one, even if the ballot has another. Returns null if there is
 * nothing to send, or another key made the commitment.
 * @param actor must have the same key for both steps
 * @param reader proves the order; it needs an anchor. Without a reader, a lying node can say that votes are open,
 * or are revealed now, and so learn the vote early
 * @throws VerificationError also if the reader has no anchor
 */
export async function nextVote(
  told: Jury,
  actor: Actor,
  ballot: Ballot,
  reader: Pick<VerifiedReader, 'readState'> | null = null,
): Promise<PayloadFor<'voteWork'> | null> {
  const proven = reader && (await reader.readState(`order/${told.orderId}`));
  if (proven && proven.verdict !== 'trusted') {
    throw new VerificationError('the reader has no anchor, so that it proves nothing: give it one');
  }
  const order = proven ? (proven.value as Jury | null) : told;
  if (!order) return null;
  const { orderId, phase, verification } = order;
  const { actorId: verifierId } = actor;
  if (!verification || !awaitsVote(order, verifierId)) return null;
  const { round, commitments } = verification;
  if (!commitments) return { orderId, verifierId, ...ballot };
  const salt = await saltOf(order, actor, round);
  const commitmentTo = (vote: string): string =>
    voteCommitment({ orderId, round, verifierId, vote, salt });
  if (phase === 'REVIEW') return { orderId, verifierId, commitment: commitmentTo(ballot.vote) };
  const own = commitments.find((made) => made.verifierId === verifierId);
  const vote = VOTES.find((each) => commitmentTo(each) === own?.commitment);
  return vote === undefined ? null : { orderId, verifierId, ...ballot, vote, salt };
}

/** Hashes a signature about this delivery and this jury, which only the key's holder can make. */
async function saltOf({ orderId, result }: Jury, actor: Actor, round: number): Promise<string> {
  const about = {
    jury: round === SECOND_JURY ? 2 : 1,
    orderId,
    resultHash: result?.transitionHash ?? null,
    schema: 'NET-VOTE-SALT/1',
    verifierId: actor.actorId,
  };
  return sha256Hex(await actor.key.signBytes(utf8Bytes(canonicalize(about))));
}
