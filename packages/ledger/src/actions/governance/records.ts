import { ActorId, ChainPosition, Hash, RecordId, Unet } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Deadline } from '../../deadline.ts';

export const PROPOSAL_STATUSES = ['VOTING', 'PASSED', 'REJECTED', 'ENACTED', 'EXPIRED'] as const;

export const ChamberTally = exactly(
  { for: Type.Integer(), against: Type.Integer() },
  { title: 'Tally' },
);
export type ChamberTally = Static<typeof ChamberTally>;

export const ProposalRecord = exactly(
  {
    proposalId: RecordId,
    kind: Type.Enum(['PROTOCOL_CONTRIBUTION', 'MAINNET_GENESIS']),
    proposerId: ActorId,
    title: Type.String(),
    contributionId: orNull(RecordId),
    subjectHash: Hash,
    status: Type.Enum([...PROPOSAL_STATUSES]),
    chambers: exactly(
      { stake: ChamberTally, utility: ChamberTally },
      { description: 'Stake in unet, utility in verified paid orders.' },
    ),
    voters: Type.Integer(),
    openedAt: ChainPosition,
    votingEnds: Deadline,
    // Earliest time to enact the proposal; null until it passes.
    executableAt: orNull(Deadline),
    // End of voting, or of the time to enact; null once the proposal has ended.
    deadline: orNull(Deadline),
    endedAt: orNull(ChainPosition),
  },
  { title: 'Proposal' },
);
export type ProposalRecord = Static<typeof ProposalRecord>;
export type ProposalKind = ProposalRecord['kind'];
export type ProposalStatus = ProposalRecord['status'];

export interface ProposalSubjectRecord {
  latestProposalId: string;
  enactedProposalId: string | null;
}

export const ProposalVoteRecord = exactly({
  proposalId: RecordId,
  voterId: ActorId,
  vote: Type.Enum(['FOR', 'AGAINST']),
  stakeWeight: Type.Integer({
    ...Unet,
    description: 'In unet: the smaller of stake and earnings.',
  }),
  utilityWeight: Type.Integer(),
  castAt: ChainPosition,
});
export type ProposalVoteRecord = Static<typeof ProposalVoteRecord>;

export const ReleaseRecord = exactly(
  {
    releaseId: RecordId,
    contributionId: RecordId,
    targetComponent: Type.String(),
    version: Type.String(),
    artifactHash: Hash,
    origins: Type.Array(exactly({ uri: Type.String(), artifactHash: Hash }), {
      description: 'As recorded, on hosts that differ; this node never fetches them.',
    }),
    recordedBy: ActorId,
    recordedAt: ChainPosition,
  },
  { title: 'ProtocolRelease' },
);
export type ReleaseRecord = Static<typeof ReleaseRecord>;
