/** What other parts of the ledger ask of governance. */
import type { ProposalRecord } from '../../collections.ts';
import type { ReadableState } from '../../state.ts';

/** The MAINNET_GENESIS proposal with this subject that was passed, waited its timelock and was enacted. */
export function enactedProposal(
  state: ReadableState,
  subjectHash: string,
): ProposalRecord | undefined {
  return state.get('proposal-enacted', subjectHash);
}
