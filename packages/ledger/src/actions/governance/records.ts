import type { ChainPosition } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';

export type ProposalKind = 'PROTOCOL_CONTRIBUTION' | 'MAINNET_GENESIS';
export const PROPOSAL_STATUSES = ['VOTING', 'PASSED', 'REJECTED', 'ENACTED', 'EXPIRED'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export interface ChamberTally {
  for: number;
  against: number;
}

export interface ProposalRecord {
  proposalId: string;
  kind: ProposalKind;
  proposerId: string;
  title: string;
  /** Null unless the kind is PROTOCOL_CONTRIBUTION. */
  contributionId: string | null;
  /** The contentHash of the contribution, or the genesisHash. */
  subjectHash: string;
  status: ProposalStatus;
  /** Stake in unet, utility in verified paid orders. */
  chambers: { stake: ChamberTally; utility: ChamberTally };
  voters: number;
  openedAt: ChainPosition;
  votingEnds: Deadline;
  /** The earliest time to enact it; null until it passes. */
  executableAt: Deadline | null;
  /** The end of voting, or of the time to enact; null once ended. */
  deadline: Deadline | null;
  endedAt: ChainPosition | null;
}

/** At most one is open, and at most one is ever enacted. */
export interface ProposalSubjectRecord {
  latestProposalId: string;
  enactedProposalId: string | null;
}

export interface ProposalVoteRecord {
  proposalId: string;
  voterId: string;
  vote: 'FOR' | 'AGAINST';
  /** In unet. */
  stakeWeight: number;
  /** In verified paid orders. */
  utilityWeight: number;
  castAt: ChainPosition;
}

export interface ReleaseRecord {
  releaseId: string;
  contributionId: string;
  targetComponent: string;
  version: string;
  artifactHash: string;
  /** On different hosts. */
  origins: { uri: string; artifactHash: string }[];
  recordedBy: string;
  recordedAt: ChainPosition;
}
