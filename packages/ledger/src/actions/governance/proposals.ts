/** Proposals, at most one open per subject. Both chambers must approve, and every proposal ends. */
import { chamberAgrees, type ChainPosition, type GovernancePolicy } from '@netd/protocol';
import type { ProposalRecord, ProposalStatus } from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import type { TimerKind } from '../../timer-queue.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { isStanding, proposalSubject } from '../../standing-proposal.ts';
import { stakeOf } from '../staking/stake.ts';
import { workStatsOf } from '../work/order.ts';

export const MAX_OPEN_PROPOSALS = 16;

export const PROPOSAL_COUNTERS: Readonly<Record<ProposalStatus, CounterName>> = {
  VOTING: 'proposals-voting',
  PASSED: 'proposals-passed',
  REJECTED: 'proposals-rejected',
  ENACTED: 'proposals-enacted',
  EXPIRED: 'proposals-expired',
};

const TIMERS: Partial<Record<ProposalStatus, TimerKind>> = {
  VOTING: 'closeProposalVote',
  PASSED: 'expireProposal',
};

export function enactedProposal(
  state: ReadableState,
  subjectHash: string,
): ProposalRecord | undefined {
  const known = state.get('proposal-subject', proposalSubject('MAINNET_GENESIS', subjectHash));
  const proposalId = known?.enactedProposalId ?? null;
  return proposalId === null ? undefined : state.get('proposal', proposalId);
}

export function requireProposal(state: ReadableState, proposalId: string): ProposalRecord {
  const proposal = state.get('proposal', proposalId);
  requireThat(proposal, 'PROPOSAL_UNKNOWN', '/payload/proposalId');
  return proposal;
}

export function putProposal(
  state: WritableState,
  before: ProposalRecord | null,
  after: ProposalRecord,
): void {
  const { proposalId, proposerId, status, deadline } = after;
  if (before?.status !== status) {
    if (before) count(state, PROPOSAL_COUNTERS[before.status], -1);
    else count(state, 'proposals', 1);
    count(state, PROPOSAL_COUNTERS[status], 1);
    const change = Number(isStanding(status)) - Number(before ? isStanding(before.status) : false);
    if (change !== 0) {
      const open = (state.get('open-proposals', proposerId) ?? 0) + change;
      if (open > 0) state.put('open-proposals', proposerId, open);
      else state.delete('open-proposals', proposerId);
    }
  }
  const [old, fresh] = [before ? TIMERS[before.status] : undefined, TIMERS[status]];
  if (old && old !== fresh) clearTimer(state, old, proposalId);
  if (fresh) {
    if (!deadline) throw new Error(`the proposal ${proposalId} is ${status} without a deadline`);
    if (deadline !== before?.deadline) setTimer(state, fresh, proposalId, deadline);
  }
  state.put('proposal', proposalId, after);
}

export function endProposal(
  state: WritableState,
  proposal: ProposalRecord,
  status: 'REJECTED' | 'ENACTED' | 'EXPIRED',
  endedAt: ChainPosition,
): void {
  putProposal(state, proposal, { ...proposal, status, deadline: null, endedAt });
}

/**
 * Returns the weights of a vote: stake in unet, utility in verified paid orders. Stake counts only up to the
 * earnings from work, and money buys nothing in the utility chamber.
 */
export function voteWeights(
  state: ReadableState,
  actorId: string,
): { stakeWeight: number; utilityWeight: number } {
  const { earned, verifiedOrders } = workStatsOf(state, actorId);
  return {
    stakeWeight: Math.min(stakeOf(state, actorId), earned),
    utilityWeight: verifiedOrders,
  };
}

export function bothAgree(
  { chambers }: Pick<ProposalRecord, 'chambers'>,
  { stakeQuorum, utilityQuorum, majorityBps }: GovernancePolicy,
): boolean {
  return (
    chamberAgrees(chambers.stake, stakeQuorum, majorityBps) &&
    chamberAgrees(chambers.utility, utilityQuorum, majorityBps)
  );
}
