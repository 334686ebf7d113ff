/** Which proposal about a subject has not ended: there is one at most. */
import type { ProposalKind, ProposalRecord, ProposalStatus } from './actions/governance/records.ts';
import type { ReadableState } from './state.ts';

export const isStanding = (status: ProposalStatus): boolean =>
  status === 'VOTING' || status === 'PASSED';

/** The id of the record about a subject: of a contribution id, or of a genesis hash. */
export function proposalSubject(kind: ProposalKind, subject: string): string {
  return `${kind === 'MAINNET_GENESIS' ? 'genesis' : 'contribution'}:${subject}`;
}

/** The proposal about the subject that has not ended, where there is one. */
export function standingProposal(
  state: ReadableState,
  kind: ProposalKind,
  subject: string,
): ProposalRecord | undefined {
  const known = state.get('proposal-subject', proposalSubject(kind, subject));
  const latest = known && state.get('proposal', known.latestProposalId);
  return latest && isStanding(latest.status) ? latest : undefined;
}
