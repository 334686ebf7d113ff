import { ActorId, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import type { ChamberTally } from './records.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { putProposal, requireProposal, voteWeights } from './proposals.ts';

export const voteProposal = defineAction({
  name: 'voteProposal',
  summary:
    'Vote on a proposal once, with the weights that your work and stake have at that moment in both chambers.',
  grant: { GOVERNOR: 'application' },
  payload: exactly({
    governorId: Type.String({ ...ActorId, description: 'The governor who signs.' }),
    proposalId: RecordId,
    vote: Type.Enum(['FOR', 'AGAINST']),
  }),
  actor: 'governorId',
  errors: ['PROPOSAL_UNKNOWN', 'PROPOSAL_NOT_VOTING', 'PROPOSAL_VOTE_CAST', 'VOTE_WEIGHTLESS'],
  events: ['ProposalVoted'],

  check({ state, block }, { governorId, proposalId }) {
    const proposal = requireProposal(state, proposalId);
    const path = '/payload/proposalId';
    const { status, votingEnds } = proposal;
    // The deadline counts even if its timer is late.
    requireThat(status === 'VOTING' && !isReached(votingEnds, block), 'PROPOSAL_NOT_VOTING', path);
    requireThat(
      !state.get('proposal-vote', `${proposalId}/${governorId}`),
      'PROPOSAL_VOTE_CAST',
      path,
    );
    const weights = voteWeights(state, governorId);
    requireThat(
      weights.stakeWeight !== 0 || weights.utilityWeight !== 0,
      'VOTE_WEIGHTLESS',
      '/payload/governorId',
    );
    return { proposal, weights };
  },

  apply(context, payload, { proposal, weights }) {
    const { state, emit } = context;
    const { governorId, proposalId, vote } = payload;
    const side = vote === 'FOR' ? 'for' : 'against';
    const add = (tally: ChamberTally, weight: number): ChamberTally => ({
      ...tally,
      [side]: tally[side] + weight,
    });
    putProposal(state, proposal, {
      ...proposal,
      chambers: {
        stake: add(proposal.chambers.stake, weights.stakeWeight),
        utility: add(proposal.chambers.utility, weights.utilityWeight),
      },
      voters: proposal.voters + 1,
    });
    state.put('proposal-vote', `${proposalId}/${governorId}`, {
      proposalId,
      voterId: governorId,
      vote,
      ...weights,
      castAt: positionOf(context),
    });
    emit('ProposalVoted', { actorId: governorId, proposalId, vote, ...weights });
  },
});
