/** Which members of each document a page compares with the proven record, and how. */
import { agreement, differences, recordDifferences, type Agreement } from './agreement.ts';
import type { Standing } from './standing.ts';

interface Members {
  /** Members that never change, so a difference is a lie at any height. */
  fixed: readonly string[];
  /** Members that the document computes from other data, or shows in another form. */
  derived?: readonly string[];
}

const RECORDS = {
  order: {
    fixed: [
      'orderId',
      'requesterId',
      'title',
      'scopeHash',
      'acceptanceHash',
      'jobType',
      'requirements',
      'funding',
      'verificationFee',
      'workerBond',
      'validationPolicy',
      'jury',
      'conditionKinds',
      'sealedVotes',
      'acceptWithin',
      'deliverWithin',
      'verifyWithin',
      'assignmentMode',
      'agentId',
      'createdAt',
      'rulesVersion',
    ],
  },
  agent: {
    fixed: ['agentId', 'description', 'referrerAgentId', 'registeredAt', 'workBits'],
    // Other records determine them.
    derived: ['publicKeyHash', 'beacon'],
  },
  // Rules and roles permit more than the key itself.
  authority: { fixed: [], derived: ['capabilities'] },
  token: {
    fixed: ['tokenId', 'name', 'symbol', 'decimals', 'supplyCap', 'creatorId', 'createdAt'],
    derived: ['kind'],
  },
  proposal: {
    fixed: [
      'proposalId',
      'kind',
      'proposerId',
      'title',
      'contributionId',
      'subjectHash',
      'openedAt',
      'votingEnds',
    ],
    // It is the contribution's.
    derived: ['rulesVersion'],
  },
  contribution: {
    fixed: [
      'contributionId',
      'authorId',
      'title',
      'targetComponent',
      'license',
      'contentHash',
      'manifestHash',
      'sourceUri',
      'supersedes',
      'rulesVersion',
      'submittedAt',
    ],
  },
} as const satisfies Record<string, Members>;

export type RecordKind = keyof typeof RECORDS;

/**
 * Compares a document with its record.
 * @param proven undefined while unknown, which differs in nothing
 */
export const recordAgreement = (
  kind: RecordKind,
  shown: object,
  proven: { value: unknown } | undefined,
): { never: string[]; now: string[] } =>
  proven ? recordDifferences({ ...shown }, proven.value, RECORDS[kind]) : { never: [], now: [] };

/** Compares a record, as a page shows it, with its proof. The height is that of the document. */
export function standingOfRecord(
  kind: RecordKind,
  { shown, height }: { shown: object; height: number },
  {
    standing,
    proven,
  }: { standing: Standing; proven: { value: unknown; height: number } | undefined },
): Agreement {
  const { never, now } = recordAgreement(kind, shown, proven);
  return agreement(standing, never, now, proven?.height === height);
}

/** Compares the guardians on display with the record of the agent's recovery, which is absent without guardians. */
export const guardianDifferences = (
  shown: { guardians: readonly string[]; threshold: number } | null,
  proven: { value: unknown } | undefined,
): string[] =>
  proven
    ? differences(
        { guardians: shown && { agentIds: shown.guardians, threshold: shown.threshold } },
        proven.value ?? {},
        ['guardians'],
      )
    : [];

/** Returns a proposal as it is recorded: without quorum and agreement, which the policy determines. */
export function proposalAsRecorded<
  Proposal extends { chambers: Record<'stake' | 'utility', { for: number; against: number }> },
>(proposal: Proposal) {
  const { stake, utility } = proposal.chambers;
  const votes = (chamber: typeof stake) => ({ for: chamber.for, against: chamber.against });
  return { ...proposal, chambers: { stake: votes(stake), utility: votes(utility) } };
}
