import { hashValue } from './hash.ts';

/** The round of the second jury, which a contest draws; the first one has the rounds 1 and 2. */
export const SECOND_JURY = 3;

/**
 * Returns the hash that a verifier commits to before it reveals its vote. The hash binds the jury and not the
 * round, so that a commitment outlives the drawing of further members.
 * @param vote.salt a secret until the vote is revealed, else three tries tell the vote
 */
export const voteCommitment = ({
  round,
  ...vote
}: {
  orderId: string;
  round: number;
  verifierId: string;
  vote: string;
  salt: string;
}): string =>
  hashValue({ ...vote, jury: round === SECOND_JURY ? 2 : 1, schema: 'NET-SEALED-VOTE/1' });
