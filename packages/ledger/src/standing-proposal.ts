import type { ProposalKind, ProposalRecord, ProposalStatus } from './actions/governance/records.ts';
import type { ReadableState } from './state.ts';

export const isStanding = (status: ProposalStatus): boolean =>
  status === 'VOTING' || status === 'PASSED';

export function proposalSubject(kind: ProposalKind, subject: string): string {
  return `${kind === 'MAINNET_GENESIS' ? 'genesis' : 'contribution'}:${subject}`;
}

export function standingProposal(
  state: ReadableState,
  kind: ProposalKind,
  subject: string,
): ProposalRecord | undefined {
  const known = state.get('proposal-subject', proposalSubject(kind, subject));
  const latest = known && state.get('proposal', known.latestProposalId);
  return latest && isStanding(latest.status) ? latest : undefined;
}
