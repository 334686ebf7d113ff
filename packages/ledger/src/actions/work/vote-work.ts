import { ActorId, Hash, RecordId, type JsonObject } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { endJury, JURY_END_EVENTS } from './end-jury.ts';
import type { WorkOrderRecord, WorkVote } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { commitVote, countVotes, outstandingVoters, requireCommitted } from './sealed-votes.ts';
import { verdictOfJury } from './verdict.ts';
import { putOrder, requireOrder, workerOf } from './order.ts';
import { WORK_VOTES } from './validation-policy.ts';

const COUNTED_AS = {
  ACCEPT: 'votesAccepted',
  REJECT: 'votesRejected',
  UNJUDGEABLE: 'votesUnjudgeable',
} as const;

/** Members of the payload in each step. `voteWork` describes them. */
const OPEN_VOTE = ['vote', 'evidenceHash'] as const;
const COMMITMENT = ['commitment'] as const;
const REVEALED_VOTE = ['vote', 'evidenceHash', 'salt'] as const;

export const voteWork = defineAction({
  name: 'voteWork',
  summary:
    'As a member of its committee, accept or reject the result of an order, or say that its scope cannot be judged.',
  grant: { VERIFIER: 'application' },
  payload: exactly({
    orderId: RecordId,
    verifierId: Type.String({ ...ActorId, description: 'The verifier who signs.' }),
    vote: Type.Optional(
      Type.Enum([...WORK_VOTES], {
        description:
          'UNJUDGEABLE if this scope cannot be judged. If two thirds of the committee say so, there is no verdict, and no blame. Left out only with a commitment.',
      }),
    ),
    evidenceHash: Type.Optional(
      Type.String({ ...Hash, description: 'Commitment to the reasons; with the vote.' }),
    ),
    reExecutionHash: Type.Optional(
      Type.String({
        ...Hash,
        description: 'The result of your own run; required if the order is sampled.',
      }),
    ),
    commitment: Type.Optional(
      Type.String({
        ...Hash,
        description:
          'In phase REVIEW, alone, if the votes are sealed: the hash of {jury, orderId, salt, schema, verifierId, vote}. jury is 2 for the second jury, else 1; schema is NET-SEALED-VOTE/1.',
      }),
    ),
    salt: Type.Optional(
      Type.String({
        ...Hash,
        description: 'In phase REVEAL, with the vote: opens the commitment.',
      }),
    ),
  }),
  memberSpans: { commitment: { since: 2 }, salt: { since: 2 } },
  actor: 'verifierId',
  errors: [
    'WORK_ORDER_UNKNOWN',
    'WORK_NOT_IN_VERIFICATION',
    'NOT_COMMITTEE_MEMBER',
    'VOTES_SEALED',
    'PAYLOAD_INVALID',
    'VOTE_ALREADY_CAST',
    'VOTE_COMMITMENT_MISMATCH',
  ],
  events: ['WorkVoteCommitted', 'WorkRevealOpened', 'WorkVoted', ...JURY_END_EVENTS],

  check({ state, session }, payload) {
    const { orderId, verifierId, commitment, vote, salt } = payload;
    const order = requireOrder(state, orderId);
    const { phase, verification } = order;
    requireThat(
      (phase === 'REVIEW' || phase === 'REVEAL') && verification,
      'WORK_NOT_IN_VERIFICATION',
      '/payload/orderId',
    );
    const member = verification.committee.find((drawn) => drawn.verifierId === verifierId);
    requireThat(member, 'NOT_COMMITTEE_MEMBER', '/payload/verifierId');
    const isSealed = verification.commitments !== undefined;
    requireThat(
      !isSealed || phase === 'REVEAL' || vote === undefined,
      'VOTES_SEALED',
      '/payload/vote',
    );
    requireThat(
      phase === 'REVIEW' || commitment === undefined,
      'WORK_NOT_IN_VERIFICATION',
      '/payload/commitment',
      () => 'the time for commitments is over, and those who committed reveal their votes',
    );
    const sealedStep = phase === 'REVEAL' ? REVEALED_VOTE : COMMITMENT;
    requireMembers(payload, isSealed ? sealedStep : OPEN_VOTE);
    if (vote !== undefined && salt !== undefined) {
      requireCommitted(order, verification, { verifierId, vote, salt });
    }
    requireThat(
      outstandingVoters(order).includes(verifierId),
      'VOTE_ALREADY_CAST',
      '/payload/orderId',
    );
    const signer = session && { publicKey: session.publicKey, sessionId: session.sessionId };
    return { order, verification, member, signer };
  },

  apply(context, payload, { order, verification, member, signer }) {
    const { state, emit } = context;
    const { orderId, verifierId, vote, evidenceHash, reExecutionHash, commitment } = payload;
    const { independenceGroup } = member;
    if (commitment !== undefined) {
      const committedAt = positionOf(context);
      return commitVote(context, order, { commitment, committedAt, independenceGroup, verifierId });
    }
    if (vote === undefined || evidenceHash === undefined) throw new Error('there is no vote');
    const cast: WorkVote = {
      evidenceHash,
      independenceGroup,
      reExecutionHash: reExecutionHash ?? null,
      session: signer,
      verifierId,
      vote,
      votedAt: positionOf(context),
    };
    const votes = [...verification.votes, cast];
    const voted: WorkOrderRecord = { ...order, verification: { ...verification, votes } };
    const verifier = state.get('verifier', verifierId);
    if (verifier) {
      const counter = COUNTED_AS[vote];
      state.put('verifier', verifierId, { ...verifier, [counter]: verifier[counter] + 1 });
    }
    const { requesterId } = order;
    const workerId = workerOf(order);
    emit('WorkVoted', { evidenceHash, orderId, requesterId, verifierId, vote, workerId });
    if (verification.commitments) {
      // Wait for the others: counting now would keep them from revealing, and from their share of the fee.
      if (outstandingVoters(voted).length > 0) return putOrder(state, order, voted);
      return countVotes(context, voted);
    }
    const verdict = verdictOfJury(order, { ...verification, votes });
    if (verdict === null) return putOrder(state, order, voted);
    endJury(context, voted, verdict);
  },
});

function requireMembers(payload: JsonObject, step: readonly string[]): void {
  for (const name of ['vote', 'evidenceHash', 'commitment', 'salt'] as const) {
    requireThat(
      (payload[name] !== undefined) === step.includes(name),
      'PAYLOAD_INVALID',
      `/payload/${name}`,
      () => `a vote on this order takes ${step.join(', ')} now`,
    );
  }
}
