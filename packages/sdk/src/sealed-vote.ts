/** A verifier's part in a jury, whose votes may be sealed. Nothing is stored: the key tells the salt again. */
import { canonicalize, SECOND_JURY, sha256Hex, utf8Bytes, voteCommitment } from '@netd/protocol';
import type { PayloadFor } from './actions.ts';
import type { WorkOrder } from './agent/parts.ts';
import type { Actor } from './client.ts';

const VOTES = ['ACCEPT', 'REJECT', 'UNJUDGEABLE'] as const;

type Jury = Pick<WorkOrder, 'orderId' | 'phase' | 'verification' | 'result'>;

export interface Ballot {
  vote: (typeof VOTES)[number];
  /** The hash of the reasons. Sealed votes are revealed with it. */
  evidenceHash: string;
  /** The result of your own run, if the order is sampled. */
  reExecutionHash?: string;
}

/** Returns true if the verifier has a vote, a commitment or a revelation to send. */
export function awaitsVote({ phase, verification }: Jury, verifierId: string): boolean {
  if (!verification) return false;
  const { committee, commitments, votes } = verification;
  const isIn = (list: readonly { verifierId: string }[]): boolean =>
    list.some((one) => one.verifierId === verifierId);
  if (phase === 'REVEAL') return isIn(commitments ?? []) && !isIn(votes);
  return phase === 'REVIEW' && isIn(committee) && !isIn(commitments ?? votes);
}

/**
 * Returns the next payload of `voteWork`: the vote, or the commitment to a sealed vote, or the vote that opens the
 * commitment. A revealed vote is the one committed to, even if the ballot has another.
 * @param actor must have the same key for both steps
 * @returns null if nothing is to be sent, or the commitment was made with another key
 */
export async function nextVote(
  order: Jury,
  actor: Actor,
  ballot: Ballot,
): Promise<PayloadFor<'voteWork'> | null> {
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

/** The hash of a signature, which only the holder of the key can make, about this delivery and this jury. */
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
