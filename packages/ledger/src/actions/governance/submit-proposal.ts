import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { requireContribution, requireStage } from '../contributions/contribution.ts';
import { MAX_OPEN_PROPOSALS, putProposal } from './proposals.ts';
import { proposalSubject, standingProposal } from '../../standing-proposal.ts';

export const submitProposal = defineAction({
  name: 'submitProposal',
  summary: 'Put a contribution, or the genesis of a main network, to the vote of both chambers.',
  grant: { GOVERNOR: 'application' },
  payload: exactly({
    governorId: Type.String({ ...ActorId, description: 'The governor who signs.' }),
    proposalId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
    kind: Type.Enum(['PROTOCOL_CONTRIBUTION', 'MAINNET_GENESIS']),
    title: Type.String({ minLength: 1, maxLength: 140, description: 'Public.' }),
    contributionId: Type.Optional(
      Type.String({
        ...RecordId,
        description: 'Of PROTOCOL_CONTRIBUTION: one whose status is GOVERNANCE_READY.',
      }),
    ),
    subjectHash: Type.Optional(
      Type.String({ ...Hash, description: 'Of MAINNET_GENESIS: the genesisHash.' }),
    ),
  }),
  actor: 'governorId',
  errors: [
    'PROPOSAL_ID_USED',
    'PROPOSAL_SUBJECT_INVALID',
    'CONTRIBUTION_UNKNOWN',
    'CONTRIBUTION_STATUS',
    'PROPOSAL_SUBJECT_TAKEN',
    'PROPOSAL_LIMIT_REACHED',
  ],
  events: ['ProposalSubmitted'],

  check({ state }, { governorId, proposalId, kind, contributionId, subjectHash }) {
    requireThat(!state.get('proposal', proposalId), 'PROPOSAL_ID_USED', '/payload/proposalId');
    const [name, subject, other] =
      kind === 'MAINNET_GENESIS'
        ? (['subjectHash', subjectHash, contributionId] as const)
        : (['contributionId', contributionId, subjectHash] as const);
    const path = `/payload/${name}`;
    requireThat(
      subject !== undefined && other === undefined,
      'PROPOSAL_SUBJECT_INVALID',
      path,
      () => `${kind} takes ${name} alone`,
    );
    let decidedHash = subject;
    let authorId: string | null = null;
    if (kind === 'PROTOCOL_CONTRIBUTION') {
      const contribution = requireContribution(state, subject);
      requireStage(contribution, 'GOVERNANCE_READY');
      decidedHash = contribution.contentHash;
      authorId = contribution.authorId;
    }
    const known = state.get('proposal-subject', proposalSubject(kind, subject));
    const rival =
      known?.enactedProposalId ?? standingProposal(state, kind, subject)?.proposalId ?? null;
    requireThat(rival === null, 'PROPOSAL_SUBJECT_TAKEN', path, () => `${rival} is about it`);
    requireThat(
      (state.get('open-proposals', governorId) ?? 0) < MAX_OPEN_PROPOSALS,
      'PROPOSAL_LIMIT_REACHED',
      '/payload/governorId',
      () => `an actor has at most ${MAX_OPEN_PROPOSALS}`,
    );
    return { subject, subjectHash: decidedHash, authorId };
  },

  apply(context, payload, plan) {
    const { state, block, policy, emit } = context;
    const { subject, subjectHash, authorId } = plan;
    const { governorId, proposalId, kind, title, contributionId = null } = payload;
    const votingEnds = deadlineAfter(block, policy.governance.votingPeriod);
    putProposal(state, null, {
      chambers: { stake: { against: 0, for: 0 }, utility: { against: 0, for: 0 } },
      contributionId,
      deadline: votingEnds,
      endedAt: null,
      executableAt: null,
      kind,
      openedAt: positionOf(context),
      proposalId,
      proposerId: governorId,
      status: 'VOTING',
      subjectHash,
      title,
      voters: 0,
      votingEnds,
    });
    state.put('proposal-subject', proposalSubject(kind, subject), {
      enactedProposalId: null,
      latestProposalId: proposalId,
    });
    emit('ProposalSubmitted', {
      actorId: governorId,
      authorId,
      contributionId,
      kind,
      proposalId,
      subjectHash,
      votingEnds,
    });
  },
});
