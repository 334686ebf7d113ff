import { netText } from '@netd/protocol';
import { act, names, type Stage } from '../stage.ts';
import { contributionIdOf } from './contribution.ts';
import { secondsUntil, type Deadline } from '../chain-time.ts';
import { takeOn } from './roles.ts';
import { earners } from './stake.ts';
import type { Round } from './work.ts';

interface ProposalView {
  status: 'VOTING' | 'PASSED' | 'REJECTED' | 'ENACTED' | 'EXPIRED';
  votingEnds: Deadline;
  executableAt: Deadline | null;
}

interface ProposalDetail {
  proposal: ProposalView;
  votes: { voterId: string; stakeWeight: number; utilityWeight: number }[];
}

export const proposalIdOf = ({ runId }: Stage): string => `demo-${runId}-vote`;

export function proposalDetail(stage: Stage): Promise<ProposalDetail> {
  return stage.client.get(`/v1/governance/proposals/${proposalIdOf(stage)}`);
}

export async function vote(stage: Stage, round: Round): Promise<void> {
  const { say } = stage;
  const governors = earners(stage, round);
  for (const governor of governors) {
    await takeOn(stage, governor, {
      role: 'GOVERNOR',
      actions: [
        'submitProposal',
        'voteProposal',
        'enactProtocolContribution',
        'recordProtocolRelease',
      ],
      profile: {},
    });
  }
  const [proposer] = governors;
  if (!proposer) throw new Error('no agent has earned');
  const proposalId = proposalIdOf(stage);
  await act(stage, proposer, 'submitProposal', {
    governorId: proposer.actorId,
    proposalId,
    kind: 'PROTOCOL_CONTRIBUTION',
    title: 'Release shorter proofs',
    contributionId: contributionIdOf(stage),
  });
  for (const { actorId, key } of governors) {
    const ballot = { governorId: actorId, proposalId, vote: 'FOR' };
    await act(stage, { actorId, key }, 'voteProposal', ballot);
  }
  say(`Governors: ${names(governors)}. The role itself has no weight; earnings and stake have.`);
  const { proposal, votes } = await proposalDetail(stage);
  const stakeWeight = votes.reduce((sum, one) => sum + one.stakeWeight, 0);
  const utilityWeight = votes.reduce((sum, one) => sum + one.utilityWeight, 0);
  say(
    `In favour: ${netText(stakeWeight)} in one chamber, ${utilityWeight} paid orders in the other.`,
  );
  say(
    `The vote stays open for those who have not voted yet, ${await secondsUntil(stage, proposal.votingEnds.time)} more seconds.`,
  );
  stage.show('The vote in both chambers', `/v1/governance/proposals/${proposalId}`);
}
