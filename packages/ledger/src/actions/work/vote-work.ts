import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import type { WorkOrderRecord, WorkVote } from './records.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { askOperator, decideContest, voteDown } from './contest.ts';
import { SECOND_JURY, verdictOfJury } from './verdict.ts';
import {
  entering,
  leaveUnjudged,
  putOrder,
  rejectOrder,
  requireOrder,
  rulesOf,
  workerOf,
} from './order.ts';
import { WORK_VOTES } from './validation-policy.ts';

const COUNTED_AS = {
  ACCEPT: 'votesAccepted',
  REJECT: 'votesRejected',
  UNJUDGEABLE: 'votesUnjudgeable',
} as const;

export const voteWork = defineAction({
  name: 'voteWork',
  summary:
    'As a member of its committee, accept or reject the result of an order, or say that its scope cannot be judged.',
  grant: { VERIFIER: 'application' },
  payload: exactly({
    orderId: RecordId,
    verifierId: Type.String({ ...ActorId, description: 'The verifier who signs.' }),
    vote: Type.Enum([...WORK_VOTES], {
      description:
        'UNJUDGEABLE if this scope cannot be judged. If two thirds of the committee say so, there is no verdict, and no blame.',
    }),
    evidenceHash: Type.String({ ...Hash, description: 'Commitment to the reasons.' }),
    reExecutionHash: Type.Optional(
      Type.String({
        ...Hash,
        description: 'The result of your own run; required if the order is sampled.',
      }),
    ),
  }),
  actor: 'verifierId',
  errors: [
    'WORK_ORDER_UNKNOWN',
    'WORK_NOT_IN_VERIFICATION',
    'NOT_COMMITTEE_MEMBER',
    'VOTE_ALREADY_CAST',
  ],
  events: [
    'WorkVoted',
    'WorkVerified',
    'WorkVotedDown',
    'WorkUnjudged',
    'WorkerBondReturned',
    'DisputeSettled',
    'WorkOrderPaid',
    'WorkOrderRejected',
    'ReferralQualified',
  ],

  check({ state, session }, { orderId, verifierId }) {
    const order = requireOrder(state, orderId);
    const { verification } = order;
    requireThat(
      order.phase === 'REVIEW' && verification,
      'WORK_NOT_IN_VERIFICATION',
      '/payload/orderId',
    );
    const member = verification.committee.find((drawn) => drawn.verifierId === verifierId);
    requireThat(member, 'NOT_COMMITTEE_MEMBER', '/payload/verifierId');
    requireThat(
      !verification.votes.some((cast) => cast.verifierId === verifierId),
      'VOTE_ALREADY_CAST',
      '/payload/orderId',
    );
    const signer = session && { publicKey: session.publicKey, sessionId: session.sessionId };
    return { order, verification, member, signer };
  },

  apply(context, payload, { order, verification, member, signer }) {
    const { state, block, policy, emit } = context;
    const { orderId, verifierId, vote, evidenceHash, reExecutionHash } = payload;
    const cast: WorkVote = {
      evidenceHash,
      independenceGroup: member.independenceGroup,
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
    const verdict = verdictOfJury(order, { ...verification, votes });
    if (verdict === null) return putOrder(state, order, voted);
    if (verification.round === SECOND_JURY) {
      if (verdict === 'UNJUDGEABLE') return askOperator(context, voted);
      return decideContest(context, voted, verdict);
    }
    if (verdict === 'REJECTED' && rulesOf(order).atLeast(2)) return voteDown(context, voted);
    if (verdict === 'REJECTED') return rejectOrder(context, voted, 'VERIFICATION_REJECTED');
    if (verdict === 'UNJUDGEABLE') {
      const end = rulesOf(order).atLeast(2) ? leaveUnjudged : rejectOrder;
      return end(context, voted, 'SCOPE_UNJUDGEABLE');
    }
    const disputableUntil = deadlineAfter(block, policy.work.disputeWindow);
    const verified = { ...voted, disputableUntil };
    putOrder(state, order, { ...verified, ...entering('VERIFIED', verified, context) });
    emit('WorkVerified', {
      disputableUntil,
      orderId,
      requesterId,
      workerId,
    });
  },
});
