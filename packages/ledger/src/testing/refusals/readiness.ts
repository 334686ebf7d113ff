import type { GenesisPolicy, JsonObject } from '@netd/protocol';
import { proposalSubject } from '../../standing-proposal.ts';
import { MAX_ATTESTATIONS } from '../../actions/readiness/attest-wallet-distribution.ts';
import { MAX_DUE_DISTANCE } from '../../actions/readiness/create-audit-engagement.ts';
import { MAX_FINDINGS } from '../../actions/readiness/submit-audit-finding.ts';
import { MAX_VALIDATOR_ROSTER } from '../../actions/operators/validator-roster.ts';
import type {
  FindingResponse,
  FindingSeverity,
  WalletAttestation,
} from '../../actions/readiness/records.ts';
import { genesisCandidate } from '../../readiness.ts';
import { StateOverlay } from '../../state.ts';
import type { MemoryLedger } from '../memory-ledger.ts';
import { OPERATOR, profileOf, type TestChain } from '../test-chain.ts';
import type { RefusalCase } from './case.ts';

/** One validator candidate passes these gates. */
export const EASY_READINESS: GenesisPolicy['readiness'] = {
  validators: 1,
  validatorFaultDomains: 1,
  verifiers: 0,
  verifierGroups: 0,
  auditorGroups: 0,
  runtimeProviders: 0,
  providerFaultDomains: 0,
  agents: 0,
  paidOrders: 0,
  qualifiedReferrals: 0,
  followerNodes: 0,
  closedAudits: 0,
  releases: 0,
  walletChannels: 0,
};

const hash = (digit: string): string => digit.repeat(64);

/** Auditors, each in the group `group-<name>`. */
export function withAuditors(chain: TestChain, ...actorIds: string[]): TestChain {
  for (const actorId of actorIds) {
    chain.install(actorId, 'AUDITOR', {
      capabilities: ['submitAuditFinding', 'attestWalletDistribution'].map((action) => ({
        action,
      })),
    });
  }
  return chain;
}

export const walletOf = (auditorId: string, members: JsonObject = {}): JsonObject => ({
  auditorId,
  channel: 'NPM',
  version: '1.0.0',
  artifactHash: hash('a'),
  uri: 'https://registry.example/wallet/1.0.0',
  evidenceHash: hash('e'),
  ...members,
});

export const engagementOf = (chain: { height: number }, members: JsonObject = {}): JsonObject => ({
  engagementId: 'audit-1',
  title: 'The ledger',
  scopeHash: hash('5'),
  dueAtHeight: chain.height + 50,
  ...members,
});

export const findingOf = (
  auditorId: string,
  severity: FindingSeverity,
  members: JsonObject = {},
): JsonObject => ({
  auditorId,
  engagementId: 'audit-1',
  findingId: `finding-${severity}`,
  severity,
  findingHash: hash('f'),
  title: 'A sum may overflow',
  component: 'ledger/accounting',
  ...members,
});

export const answerOf = (
  severity: FindingSeverity,
  response: FindingResponse,
  members: JsonObject = {},
): JsonObject => ({
  findingId: `finding-${severity}`,
  response,
  responseHash: hash('b'),
  ...members,
});

/** alice, bob and later auditors may report. */
export const audited = (chain: TestChain, members: JsonObject = {}): TestChain =>
  withAuditors(chain, 'alice', 'bob').does(
    OPERATOR,
    'createAuditEngagement',
    engagementOf(chain, members),
  );

export const reported = (chain: TestChain, severity: FindingSeverity): TestChain =>
  audited(chain).does('alice', 'submitAuditFinding', findingOf('alice', severity));

export function withCandidate(
  chain: TestChain,
  actorId = 'dave',
  faultDomain = 'rack-1',
): TestChain {
  const profile = profileOf(actorId, 'VALIDATOR');
  if (!chain.record('authority', actorId)) chain.join([actorId]);
  return chain
    .fund(actorId, Number(profile['selfBond']))
    .install(actorId, 'VALIDATOR', { profile: { ...profile, faultDomain } });
}

export function candidateHash(ledger: MemoryLedger): string {
  return (
    genesisCandidate(new StateOverlay(ledger), ledger.tip.height + 1)?.genesisHash ?? hash('0')
  );
}

/** As an enacted MAINNET_GENESIS proposal leaves it. */
export function seedEnacted(ledger: MemoryLedger, subjectHash: string): void {
  const proposalId = `proposal-${subjectHash.slice(0, 8)}`;
  const start = { height: 0, index: 0 };
  const chamber = { for: 1, against: 0 };
  ledger.seed('proposal', proposalId, {
    proposalId,
    kind: 'MAINNET_GENESIS',
    proposerId: OPERATOR,
    title: 'Seal the genesis',
    contributionId: null,
    subjectHash,
    status: 'ENACTED',
    chambers: { stake: chamber, utility: chamber },
    voters: 1,
    openedAt: start,
    votingEnds: { height: 0, time: 0 },
    executableAt: { height: 0, time: 0 },
    deadline: null,
    endedAt: start,
  });
  ledger.seed('proposal-subject', proposalSubject('MAINNET_GENESIS', subjectHash), {
    latestProposalId: proposalId,
    enactedProposalId: proposalId,
  });
}

/** Ready to seal. */
export function sealable(chain: TestChain): TestChain {
  withCandidate(chain);
  seedEnacted(chain.ledger, candidateHash(chain.ledger));
  return chain;
}

export const sealOf = (chain: TestChain, agentId: string): JsonObject => ({
  agentId,
  genesisHash: candidateHash(chain.ledger),
});

export function openUp(chain: TestChain): void {
  const identity = chain.record('chain', 'identity');
  if (!identity) throw new Error('the state has no genesis');
  chain.ledger.seed('chain', 'identity', { ...identity, open: true });
}

const WALLET = 'attestWalletDistribution';
const CREATE = 'createAuditEngagement';
const SUBMIT = 'submitAuditFinding';
const RESPOND = 'respondAuditFinding';
const CLOSE = 'closeAuditEngagement';
const SEAL = 'sealMainnetGenesis';

const easy: Partial<GenesisPolicy> = { readiness: EASY_READINESS };
const close = (chain: TestChain) => chain.intent(OPERATOR, CLOSE, { engagementId: 'audit-1' });
const submit = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent('alice', SUBMIT, findingOf('alice', 'LOW', members));

/** bob confirms alice's critical finding. */
const confirms = (
  rule: string,
  prepare: (chain: TestChain) => TestChain,
  members: JsonObject = {},
): RefusalCase => ({
  subject: SUBMIT,
  code: 'AUDIT_CONFIRMATION_INVALID',
  rule,
  provoke: (chain) => {
    const payload = { findingId: 'confirmation', confirms: 'finding-CRITICAL', ...members };
    return prepare(chain).intent('bob', SUBMIT, findingOf('bob', 'INFO', payload));
  },
});

const fixed = (chain: TestChain): TestChain =>
  reported(chain, 'CRITICAL').does(OPERATOR, RESPOND, answerOf('CRITICAL', 'FIXED'));

export const READINESS_REFUSALS: RefusalCase[] = [
  {
    subject: 'InvitationClaim',
    code: 'VALIDATOR_ROSTER_FULL',
    rule: 'a genesis candidate is made from a bounded number of validators',
    provoke: (chain) => {
      chain.fund('alice', Number(profileOf('alice', 'VALIDATOR')['selfBond']));
      const invitationId = chain.invited('alice', 'VALIDATOR');
      chain.ledger.seed('validator-roster', 'active', {
        validatorIds: Array.from({ length: MAX_VALIDATOR_ROSTER }, (_, i) => `v-${i}`),
      });
      return chain.claim('alice', invitationId);
    },
  },

  {
    subject: WALLET,
    code: 'AUDITOR_UNKNOWN',
    rule: 'an operator attests nothing: it belongs to no independence group',
    provoke: (chain) => chain.intent(OPERATOR, WALLET, walletOf(OPERATOR)),
  },
  {
    subject: WALLET,
    code: 'WALLET_ATTESTATION_EXISTS',
    rule: 'an auditor attests a version on a channel once, whatever the artifact',
    provoke: (chain) =>
      withAuditors(chain, 'alice')
        .does('alice', WALLET, walletOf('alice'))
        .intent('alice', WALLET, walletOf('alice', { artifactHash: hash('b') })),
  },
  {
    subject: WALLET,
    code: 'WALLET_ATTESTATION_EXISTS',
    rule: 'two auditors of a group are one voice',
    provoke: (chain) => {
      withAuditors(chain, 'alice', 'bob').does('alice', WALLET, walletOf('alice'));
      chain.ledger.seed('auditor', 'bob', {
        actorId: 'bob',
        independenceGroup: 'group-alice',
        active: true,
        installedAt: { height: 1, index: 0 },
      });
      return chain.intent('bob', WALLET, walletOf('bob'));
    },
  },
  {
    subject: WALLET,
    code: 'WALLET_ATTESTATION_LIMIT',
    rule: 'a version takes a bounded number of attestations',
    provoke: (chain) => {
      withAuditors(chain, 'alice', 'bob').does('alice', WALLET, walletOf('alice'));
      seedAttestations(chain, MAX_ATTESTATIONS);
      return chain.intent('bob', WALLET, walletOf('bob'));
    },
  },

  {
    subject: CREATE,
    code: 'AUDIT_ENGAGEMENT_EXISTS',
    rule: 'an engagement id is used once',
    provoke: (chain) => audited(chain).intent(OPERATOR, CREATE, engagementOf(chain)),
  },
  {
    subject: CREATE,
    code: 'AUDIT_DUE_INVALID',
    rule: 'an audit is due in the future',
    provoke: (chain) =>
      chain.intent(OPERATOR, CREATE, engagementOf(chain, { dueAtHeight: chain.height })),
  },
  {
    subject: CREATE,
    code: 'AUDIT_DUE_INVALID',
    rule: 'an audit is due in a foreseeable future',
    provoke: (chain) =>
      chain.intent(
        OPERATOR,
        CREATE,
        engagementOf(chain, { dueAtHeight: chain.height + MAX_DUE_DISTANCE + 1 }),
      ),
  },
  {
    subject: CREATE,
    code: 'AUDITOR_UNKNOWN',
    rule: 'an engagement names auditors',
    provoke: (chain) =>
      withAuditors(chain, 'alice').intent(
        OPERATOR,
        CREATE,
        engagementOf(chain, { auditorIds: ['alice', 'bob'] }),
      ),
  },

  {
    subject: SUBMIT,
    code: 'AUDITOR_UNKNOWN',
    rule: 'an operator does not audit itself',
    provoke: (chain) => audited(chain).intent(OPERATOR, SUBMIT, findingOf(OPERATOR, 'INFO')),
  },
  {
    subject: SUBMIT,
    code: 'AUDIT_ENGAGEMENT_UNKNOWN',
    rule: 'a finding belongs to an engagement',
    provoke: (chain) => submit(audited(chain), { engagementId: 'audit-2' }),
  },
  {
    subject: SUBMIT,
    code: 'AUDIT_ENGAGEMENT_CLOSED',
    rule: 'an audit that is over finds nothing more',
    provoke: (chain) => {
      reported(chain, 'INFO').does(OPERATOR, CLOSE, { engagementId: 'audit-1' });
      return submit(chain);
    },
  },
  {
    subject: SUBMIT,
    code: 'AUDIT_FINDING_EXISTS',
    rule: 'a finding id is used once',
    provoke: (chain) => submit(reported(chain, 'LOW')),
  },
  {
    subject: SUBMIT,
    code: 'NOT_ENGAGED_AUDITOR',
    rule: 'an engagement that names auditors hears those',
    provoke: (chain) => submit(audited(chain, { auditorIds: ['bob'] })),
  },
  {
    subject: SUBMIT,
    code: 'AUDIT_FINDING_LIMIT',
    rule: 'an engagement takes a bounded number of findings',
    provoke: (chain) => {
      seedFindings(audited(chain), MAX_FINDINGS);
      return submit(chain);
    },
  },
  confirms('an unanswered finding cannot be confirmed', (chain) => reported(chain, 'CRITICAL')),
  confirms('an accepted finding is confirmed only after its fix', (chain) =>
    reported(chain, 'CRITICAL').does(OPERATOR, RESPOND, answerOf('CRITICAL', 'ACCEPTED')),
  ),
  confirms('a confirmation confirms a finding', fixed, { confirms: 'finding-none' }),
  confirms('a confirmation is for information', fixed, { severity: 'LOW' }),
  confirms('a finding is confirmed once', (chain) =>
    fixed(chain).does(
      'bob',
      SUBMIT,
      findingOf('bob', 'INFO', { findingId: 'first', confirms: 'finding-CRITICAL' }),
    ),
  ),
  confirms(
    'a finding of another engagement is not confirmed here',
    (chain) =>
      fixed(chain).does(OPERATOR, CREATE, engagementOf(chain, { engagementId: 'audit-2' })),
    { engagementId: 'audit-2' },
  ),

  {
    subject: RESPOND,
    code: 'AUDIT_FINDING_UNKNOWN',
    rule: 'an answer answers a finding',
    provoke: (chain) => audited(chain).intent(OPERATOR, RESPOND, answerOf('LOW', 'FIXED')),
  },
  {
    subject: RESPOND,
    code: 'AUDIT_FINDING_SETTLED',
    rule: 'a settled finding takes no further answer',
    provoke: (chain) =>
      reported(chain, 'LOW')
        .does(OPERATOR, RESPOND, answerOf('LOW', 'RISK_ACCEPTED'))
        .intent(OPERATOR, RESPOND, answerOf('LOW', 'FIXED')),
  },
  {
    subject: RESPOND,
    code: 'AUDIT_FINDING_SETTLED',
    rule: 'information asks for no answer',
    provoke: (chain) =>
      reported(chain, 'INFO').intent(OPERATOR, RESPOND, answerOf('INFO', 'FIXED')),
  },
  ...(['CRITICAL', 'HIGH'] as const).map((severity): RefusalCase => ({
    subject: RESPOND,
    code: 'AUDIT_RESPONSE_INSUFFICIENT',
    rule: `the risk of a ${severity.toLowerCase()} finding cannot be accepted`,
    provoke: (chain) =>
      reported(chain, severity).intent(OPERATOR, RESPOND, answerOf(severity, 'RISK_ACCEPTED')),
  })),

  {
    subject: CLOSE,
    code: 'AUDIT_ENGAGEMENT_UNKNOWN',
    rule: 'nothing is closed that was not opened',
    provoke: close,
  },
  {
    subject: CLOSE,
    code: 'AUDIT_ENGAGEMENT_CLOSED',
    rule: 'an audit ends once',
    provoke: (chain) =>
      close(reported(chain, 'INFO').does(OPERATOR, CLOSE, { engagementId: 'audit-1' })),
  },
  {
    subject: CLOSE,
    code: 'AUDIT_FINDINGS_OPEN',
    rule: 'an unanswered high finding keeps an audit open',
    provoke: (chain) => close(reported(chain, 'HIGH')),
  },
  {
    subject: CLOSE,
    code: 'AUDIT_FINDINGS_OPEN',
    rule: 'a fix that no auditor has confirmed keeps an audit open',
    provoke: (chain) => close(fixed(chain)),
  },
  {
    subject: CLOSE,
    code: 'AUDIT_NOT_REPORTED',
    rule: 'an operator alone makes no audit',
    provoke: (chain) => close(audited(chain)),
  },

  {
    subject: SEAL,
    code: 'SEALING_OPEN_CHAIN',
    rule: 'a chain that takes unsigned payloads seals nothing',
    policy: easy,
    provoke: (chain) => {
      openUp(sealable(chain));
      return chain.intent('alice', SEAL, sealOf(chain, 'alice'));
    },
  },
  {
    subject: SEAL,
    code: 'GENESIS_ALREADY_SEALED',
    rule: 'a chain is followed once',
    policy: easy,
    provoke: (chain) => {
      sealable(chain).does('alice', SEAL, sealOf(chain, 'alice'));
      return chain.intent('bob', SEAL, sealOf(chain, 'bob'));
    },
  },
  {
    subject: SEAL,
    code: 'READINESS_GATES_FAILING',
    rule: 'a devnet with one candidate is no mainnet',
    provoke: (chain) => sealable(chain).intent('alice', SEAL, sealOf(chain, 'alice')),
  },
  {
    subject: SEAL,
    code: 'GENESIS_NOT_ENACTED',
    rule: 'only governance decides on the genesis',
    policy: easy,
    provoke: (chain) => {
      withCandidate(chain);
      return chain.intent('alice', SEAL, sealOf(chain, 'alice'));
    },
  },
  {
    subject: SEAL,
    code: 'GENESIS_HASH_MISMATCH',
    rule: 'only the genesis of the vote is sealed: a later validator needs another vote',
    policy: easy,
    provoke: (chain) => {
      const payload = sealOf(sealable(chain), 'alice');
      return withCandidate(chain, 'bob').intent('alice', SEAL, payload);
    },
  },
];

/** As if this many groups had attested different artifacts. */
export function seedAttestations(chain: TestChain, total: number): void {
  const known = chain.record('wallet-distribution', 'NPM:1.0.0');
  const [first] = known?.attestations ?? [];
  if (!known || !first) throw new Error('the version has no attestation');
  const attestations = Array.from({ length: total }, (_, i): WalletAttestation => ({
    ...first,
    independenceGroup: `g-${i}`,
    artifactHash: i.toString(16).padStart(64, '0'),
  }));
  chain.ledger.seed('wallet-distribution', 'NPM:1.0.0', { ...known, attestations });
}

export function seedFindings(chain: TestChain, findings: number, confirmations = 0): void {
  const engagement = chain.record('audit-engagement', 'audit-1');
  if (!engagement) throw new Error('there is no audit');
  chain.ledger.seed('audit-engagement', 'audit-1', { ...engagement, findings, confirmations });
}
