/** What the state holds of proposals, votes and releases. */
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
  /** The contribution that a PROTOCOL_CONTRIBUTION is about; null for other kinds. */
  contributionId: string | null;
  /** The hash of what is decided about: the contentHash of the contribution, or the genesisHash. */
  subjectHash: string;
  status: ProposalStatus;
  /** Stake in unet, utility in verified paid orders. */
  chambers: { stake: ChamberTally; utility: ChamberTally };
  voters: number;
  openedAt: ChainPosition;
  votingEnds: Deadline;
  /** When it can be enacted at the earliest; null until it is passed. */
  executableAt: Deadline | null;
  /** When the status ends by itself: the end of voting, or of the time to enact; null after the end. */
  deadline: Deadline | null;
  /** When it was enacted, rejected or expired. */
  endedAt: ChainPosition | null;
}

/** The proposals about one subject: one at a time, and one enacted for good. */
export interface ProposalSubjectRecord {
  latestProposalId: string;
  enactedProposalId: string | null;
}

/** A vote with the weights the voter had when casting it. */
export interface ProposalVoteRecord {
  proposalId: string;
  voterId: string;
  vote: 'FOR' | 'AGAINST';
  /** The voter's weight in the chamber of stake, in unet. */
  stakeWeight: number;
  /** The voter's weight in the chamber of utility, in verified paid orders. */
  utilityWeight: number;
  castAt: ChainPosition;
}

export interface ReleaseRecord {
  releaseId: string;
  contributionId: string;
  targetComponent: string;
  version: string;
  artifactHash: string;
  /** Places of the artifact, on hosts of different names. */
  origins: { uri: string; artifactHash: string }[];
  recordedBy: string;
  recordedAt: ChainPosition;
}
