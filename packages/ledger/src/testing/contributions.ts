/** Contributions and proposals at every stage. */
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { ROLE_SETS } from '../actions/registry.ts';
import type { AuditorRecord } from '../actions/operators/records.ts';
import type { ContributionRecord } from '../actions/contributions/records.ts';
import type { ProposalRecord } from '../actions/governance/records.ts';
import { workStatsOf } from '../actions/work/order.ts';
import { DEVNET_POLICY } from '../genesis.ts';
import { StateOverlay } from '../state.ts';
import type { TestChain } from './test-chain.ts';
import { pass, seedVerifier } from './work.ts';

export const BUILDERS = ['vera', 'vito', 'viki'] as const;
export const AUDITORS = ['anna', 'arno', 'axel'] as const;
/** Governors with stake and earnings. */
const GOVERNORS = ['alice', 'carol'] as const;

/** Covered by governance.prop.test.ts. */
export const GOVERNANCE_ACTIONS: ReadonlySet<string> = new Set([
  'submitProtocolContribution',
  'attestProtocolBuild',
  'reviewProtocolContribution',
  'attributeContributionReceipt',
  'submitProposal',
  'voteProposal',
  'enactProtocolContribution',
  'recordProtocolRelease',
]);

export const BUILD_HASH = hashOfDigit('b');

export function contributionOf(members: JsonObject = {}): JsonObject {
  return {
    agentId: 'bob',
    contributionId: 'c-1',
    title: 'Shorter proofs',
    targetComponent: 'state-tree',
    license: 'Apache-2.0',
    contentHash: hashOfDigit('1'),
    manifestHash: hashOfDigit('2'),
    sourceUri: 'https://forge.example/bob/proofs',
    ...members,
  };
}

export const buildOf = (verifierId: string, members: JsonObject = {}): JsonObject => ({
  verifierId,
  contributionId: 'c-1',
  result: 'PASS',
  buildHash: BUILD_HASH,
  environmentHash: hashOfDigit('e'),
  ...members,
});

export const reviewOf = (auditorId: string, members: JsonObject = {}): JsonObject => ({
  auditorId,
  contributionId: 'c-1',
  verdict: 'PASS',
  reportHash: hashOfDigit('5'),
  ...members,
});

export const proposalOf = (members: JsonObject = {}): JsonObject => ({
  governorId: 'alice',
  proposalId: 'p-1',
  kind: 'PROTOCOL_CONTRIBUTION',
  title: 'Release shorter proofs',
  contributionId: 'c-1',
  ...members,
});

export const genesisProposalOf = (members: JsonObject = {}): JsonObject => ({
  governorId: 'alice',
  proposalId: 'p-1',
  kind: 'MAINNET_GENESIS',
  title: 'Go live',
  subjectHash: hashOfDigit('9'),
  ...members,
});

export const ballotOf = (governorId: string, members: JsonObject = {}): JsonObject => ({
  governorId,
  proposalId: 'p-1',
  vote: 'FOR',
  ...members,
});

export const releaseOf = (members: JsonObject = {}): JsonObject => ({
  governorId: 'alice',
  releaseId: 'r-1',
  contributionId: 'c-1',
  version: '1.4.0',
  artifactHash: BUILD_HASH,
  origins: ['forge.example', 'mirror.example'].map((host) => ({
    uri: `https://${host}/proofs-1.4.0.tgz`,
    artifactHash: BUILD_HASH,
  })),
  ...members,
});

export function seedBuilder(
  chain: TestChain,
  verifierId: string,
  members: Parameters<typeof seedVerifier>[2] = {},
): void {
  seedVerifier(chain, verifierId, members);
  const capabilities = ROLE_SETS.VERIFIER.map((action) => ({ action }));
  chain.seedAuthority(verifierId, { roles: ['VERIFIER'], capabilities });
}

/** As a claim installs it. */
export function seedAuditor(
  chain: TestChain,
  actorId: string,
  members: Partial<AuditorRecord> = {},
): void {
  const capabilities = ROLE_SETS.AUDITOR.map((action) => ({ action }));
  chain.seedAuthority(actorId, { roles: ['AUDITOR'], capabilities });
  chain.ledger.seed('auditor', actorId, {
    actorId,
    independenceGroup: `group-${actorId}`,
    active: true,
    installedAt: { height: 0, index: 0 },
    ...members,
  });
}

export function makeGovernor(chain: TestChain, actorId: string): void {
  const capabilities = ROLE_SETS.GOVERNOR.map((action) => ({ action }));
  chain.install(actorId, 'GOVERNOR', { capabilities });
}

/** In unet and orders. */
export function seedEarnings(
  chain: TestChain,
  actorId: string,
  earned: number,
  verifiedOrders: number,
): void {
  const stats = workStatsOf(new StateOverlay(chain.ledger), actorId);
  chain.ledger.seed('work-stats', actorId, { ...stats, verifiedOrders, earned });
}

export function stake(chain: TestChain, actorId: string): void {
  chain.fund(actorId, 1_000 * UNET_PER_NET).install(actorId, 'VALIDATOR');
}

/**
 * Three builders and three auditors in separate groups. alice and carol govern with 1,000 NET at stake each;
 * alice has earned 400 NET in 3 orders, carol 100 NET in 5.
 */
export function readyForContributions(chain: TestChain): TestChain {
  for (const verifierId of BUILDERS) seedBuilder(chain, verifierId);
  for (const auditorId of AUDITORS) seedAuditor(chain, auditorId);
  for (const governorId of GOVERNORS) {
    makeGovernor(chain, governorId);
    stake(chain, governorId);
  }
  seedEarnings(chain, 'alice', 400 * UNET_PER_NET, 3);
  seedEarnings(chain, 'carol', 100 * UNET_PER_NET, 5);
  return chain;
}

export const submitted = (chain: TestChain, members: JsonObject = {}): TestChain =>
  readyForContributions(chain).does('bob', 'submitProtocolContribution', contributionOf(members));

export const built = (chain: TestChain, members: JsonObject = {}): TestChain =>
  submitted(chain, members)
    .does('vera', 'attestProtocolBuild', buildOf('vera'))
    .does('vito', 'attestProtocolBuild', buildOf('vito'));

export const reviewed = (chain: TestChain, members: JsonObject = {}): TestChain =>
  built(chain, members)
    .does('anna', 'reviewProtocolContribution', reviewOf('anna'))
    .does('arno', 'reviewProtocolContribution', reviewOf('arno'));

export const proposed = (chain: TestChain, members: JsonObject = {}): TestChain =>
  reviewed(chain, members).does('alice', 'submitProposal', proposalOf());

/** Passes the voting period and closes the vote. */
export const voteEnds = (chain: TestChain): TestChain =>
  pass(chain, DEVNET_POLICY.governance.votingPeriod);

export const timelockEnds = (chain: TestChain): TestChain =>
  pass(chain, DEVNET_POLICY.governance.timelock);

export const passed = (chain: TestChain, members: JsonObject = {}): TestChain =>
  voteEnds(
    proposed(chain, members)
      .does('alice', 'voteProposal', ballotOf('alice'))
      .does('carol', 'voteProposal', ballotOf('carol')),
  );

export const enact = (governorId = 'alice', proposalId = 'p-1'): JsonObject => ({
  governorId,
  proposalId,
});

export const decided = (chain: TestChain, members: JsonObject = {}): TestChain =>
  timelockEnds(passed(chain, members)).does('alice', 'enactProtocolContribution', enact());

/** @param members of the contribution */
export const released = (chain: TestChain, members: JsonObject = {}): TestChain =>
  decided(chain, members).does('alice', 'recordProtocolRelease', releaseOf());

export function contributionIn(chain: TestChain, contributionId = 'c-1'): ContributionRecord {
  const contribution = chain.record('contribution', contributionId);
  if (!contribution) throw new Error(`there is no contribution ${contributionId}`);
  return contribution;
}

export function proposalIn(chain: TestChain, proposalId = 'p-1'): ProposalRecord {
  const proposal = chain.record('proposal', proposalId);
  if (!proposal) throw new Error(`there is no proposal ${proposalId}`);
  return proposal;
}
