import {
  proposalSubject,
  REQUIRED_GROUPS,
  ContributionRecord,
  type ProposalRecord,
  type ReleaseRecord,
} from '@netd/ledger';
import { ChainPosition, RecordId, Unet } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { listed, ListedContribution } from './contribution-registry.ts';
import { Proposal, describeProposal } from './proposal-registry.ts';
import { proofLink } from '../shared/links.ts';
import { Deadline, deadlineView } from '../shared/deadline.ts';
import { defineDocument } from '../shared/read-document.ts';
import { Release, releaseFacts } from './release-registry.ts';
import { partOfRecord } from '../shared/times.ts';

const NAMED_RECEIPTS = 100;
const REQUIRED_ORIGINS = 2;

const Gate = exactly({
  id: Type.Enum([
    'reproducible-build',
    'security-review',
    'both-chambers',
    'timelock-and-enactment',
    'release-origins',
  ]),
  pass: Type.Boolean(),
  actual: Type.Integer(),
  required: Type.Integer(),
  detail: Type.String(),
});

const Awaited = exactly({
  action: Type.String(),
  role: Type.String(),
  detail: Type.String(),
  notBefore: orNull(Deadline),
});

export const contributionDetail = defineDocument({
  name: 'NET-PROTOCOL-CONTRIBUTION/1',
  route: '/v1/protocol/contributions/:contributionId',
  operationId: 'getProtocolContribution',
  tag: 'protocol',
  summary: 'One contribution: its gates passed and missing, and its next step',
  description: 'One contribution on its way from two independent builds to a release.',
  path: { contributionId: RecordId },
  canMiss: true,
  content: {
    contribution: ListedContribution,
    attestations: partOfRecord(ContributionRecord.properties.attestations),
    reviews: partOfRecord(ContributionRecord.properties.reviews),
    gates: Type.Array(Gate),
    missing: Type.Array(Type.String(), { description: 'The gates not passed.' }),
    awaiting: Type.Array(Awaited),
    proposal: orNull(Proposal),
    release: orNull(Release),
    workReceipts: Type.Array(
      exactly({
        orderId: RecordId,
        paid: Unet,
        attributedAt: ChainPosition,
      }),
      { description: `The newest ${NAMED_RECEIPTS} at most.` },
    ),
  },
  build: (snapshot, { contributionId }) => {
    const contribution = snapshot.get('contribution', contributionId);
    if (!contribution) throw new ApiError('CONTRIBUTION_NOT_FOUND');
    const proposal = latestProposal(snapshot, contributionId);
    const { releaseId, attestations, reviews } = contribution;
    const release = releaseId === null ? undefined : snapshot.get('release', releaseId);
    const gates = gatesOf(contribution, proposal, release);
    return {
      contribution: listed(contribution),
      attestations,
      reviews,
      gates,
      missing: gates.filter(({ pass }) => !pass).map(({ id }) => id),
      awaiting: awaiting(contribution, proposal),
      proposal: proposal ? describeProposal(snapshot, proposal) : null,
      release: release ? releaseFacts(snapshot, release) : null,
      workReceipts: snapshot
        .list('contribution-receipt', 'contribution-receipts', {
          value: contributionId,
          limit: NAMED_RECEIPTS,
        })
        .items.map(({ orderId, paid, attributedAt }) => ({ orderId, paid, attributedAt })),
      links: { proof: proofLink('contribution', contributionId) },
    };
  },
});

function latestProposal(snapshot: Snapshot, contributionId: string): ProposalRecord | undefined {
  const subject = proposalSubject('PROTOCOL_CONTRIBUTION', contributionId);
  const known = snapshot.get('proposal-subject', subject);
  return known && snapshot.get('proposal', known.latestProposalId);
}

function gatesOf(
  { attestations, reviews }: ContributionRecord,
  proposal: ProposalRecord | undefined,
  release: ReleaseRecord | undefined,
): Static<typeof Gate>[] {
  const builds = attestations.filter(({ result }) => result === 'PASS');
  const agreeing = builds.map(
    ({ buildHash }) => builds.filter((other) => other.buildHash === buildHash).length,
  );
  const gate = (
    id: Static<typeof Gate>['id'],
    actual: number,
    required: number,
    detail: string,
  ): Static<typeof Gate> => ({ id, pass: actual >= required, actual, required, detail });
  const agreed = proposal?.status === 'PASSED' || proposal?.status === 'ENACTED';
  return [
    gate(
      'reproducible-build',
      Math.max(0, ...agreeing),
      REQUIRED_GROUPS,
      'Independence groups of verifiers that built the same artifact.',
    ),
    gate(
      'security-review',
      reviews.filter(({ verdict }) => verdict === 'PASS').length,
      REQUIRED_GROUPS,
      'Independence groups of auditors that passed it.',
    ),
    gate(
      'both-chambers',
      Number(agreed),
      1,
      'A proposal that the chambers of stake and of utility both passed.',
    ),
    gate(
      'timelock-and-enactment',
      Number(proposal?.status === 'ENACTED'),
      1,
      'The proposal waited its timelock and was enacted.',
    ),
    gate(
      'release-origins',
      release?.origins.length ?? 0,
      REQUIRED_ORIGINS,
      'Hosts that serve the attested artifact.',
    ),
  ];
}

function awaiting(
  { contributionId, status, supersededBy }: ContributionRecord,
  proposal: ProposalRecord | undefined,
): Static<typeof Awaited>[] {
  const step = (
    action: string,
    role: string,
    detail: string,
    notBefore: Static<typeof Awaited>['notBefore'] = null,
  ): Static<typeof Awaited>[] => [{ action, role, detail, notBefore }];
  switch (status) {
    case 'BUILD_VERIFICATION':
      return step('attestProtocolBuild', 'VERIFIER', 'Build it and state the hash that came out.');
    case 'SECURITY_REVIEW':
      return step('reviewProtocolContribution', 'AUDITOR', 'Review it and state the verdict.');
    case 'GOVERNANCE_READY': {
      if (proposal?.status === 'VOTING') {
        return step('voteProposal', 'GOVERNOR', `Vote on ${proposal.proposalId}.`);
      }
      if (proposal?.status === 'PASSED') {
        const detail = `Enact ${proposal.proposalId} when its timelock has passed.`;
        const { executableAt } = proposal;
        const notBefore = executableAt && deadlineView(executableAt);
        return step('enactProtocolContribution', 'GOVERNOR', detail, notBefore);
      }
      return step('submitProposal', 'GOVERNOR', 'Put it to the vote of both chambers.');
    }
    case 'RELEASE_CANDIDATE':
      return step('recordProtocolRelease', 'GOVERNOR', 'Record the origins of its artifact.');
    case 'CHANGES_REQUIRED':
      if (supersededBy !== null) return [];
      return step(
        'submitProtocolContribution',
        'AGENT',
        `Its author can submit a revision with supersedes: ${contributionId}.`,
      );
    default:
      return [];
  }
}
