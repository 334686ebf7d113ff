import { enactedProposal, genesisCandidate, readinessOf, type Readiness } from '@netd/ledger';
import { ActorId, ChainPosition, Genesis, Hash, Height, RecordId } from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

/** Step of the gates about delays, which only a new genesis can lengthen. */
const LONGER_DELAYS = [
  'OPERATOR',
  'start a chain whose genesis gives this much time',
  '/v1/genesis',
] as const;

const STEPS: Readonly<Record<string, readonly [role: string, action: string, see: string]>> = {
  'secure-mode': ['OPERATOR', 'start a chain whose genesis says open: false', '/v1/network'],
  validators: ['VALIDATOR', 'apply with a bond and claim', '/v1/operator-applications'],
  'validator-fault-domains': [
    'VALIDATOR',
    'apply from another fault domain and claim',
    '/v1/operator-applications',
  ],
  verifiers: ['VERIFIER', 'apply with a bond and claim', '/v1/operator-applications'],
  'verifier-groups': ['VERIFIER', 'apply as another group and claim', '/v1/operator-applications'],
  'auditor-groups': ['AUDITOR', 'apply as another group and claim', '/v1/operator-applications'],
  'runtime-providers': [
    'RUNTIME_PROVIDER',
    'apply with a bond and claim',
    '/v1/operator-applications',
  ],
  'provider-fault-domains': [
    'RUNTIME_PROVIDER',
    'apply from another fault domain and claim',
    '/v1/operator-applications',
  ],
  agents: ['AGENT', 'POST /v1/agents/register', '/v1/agents'],
  'paid-orders': ['AGENT', 'createWorkOrder, acceptWork, submitWorkResult', '/v1/work-orders'],
  'qualified-referrals': ['AGENT', 'do verified paid work as a recruited agent', '/v1/referrals'],
  'follower-nodes': ['AGENT', 'submitNodeHeartbeat', '/v1/nodes'],
  'closed-audits': [
    'AUDITOR, OPERATOR',
    'createAuditEngagement, submitAuditFinding, closeAuditEngagement',
    '/v1/audits',
  ],
  releases: ['GOVERNOR', 'recordProtocolRelease', '/v1/protocol/releases'],
  'wallet-channels': [
    'AUDITOR',
    'attestWalletDistribution',
    '/v1/wallet/distribution-attestations',
  ],
  'open-critical-findings': [
    'OPERATOR, AUDITOR',
    'respondAuditFinding, submitAuditFinding with confirms',
    '/v1/audits',
  ],
  'dispute-window': LONGER_DELAYS,
  'recovery-delay': LONGER_DELAYS,
  'voting-period': LONGER_DELAYS,
  timelock: LONGER_DELAYS,
  'unbonding-delay': LONGER_DELAYS,
  'open-high-findings': [
    'OPERATOR, AUDITOR',
    'respondAuditFinding, submitAuditFinding with confirms',
    '/v1/audits',
  ],
};

export const mainnetReadiness = defineDocument({
  name: 'NET-MAINNET-READINESS/1',
  route: '/v1/mainnet/readiness',
  operationId: 'getMainnetReadiness',
  tag: 'readiness',
  summary: 'Mainnet readiness: gates, genesis candidate, sealing, next actions',
  description: 'How far this network is from a mainnet, by gates over counters of its state.',
  content: {
    status: Type.Enum(['GATES_FAILING', 'AWAITING_GOVERNANCE', 'SEALABLE', 'SEALED'], {
      description: 'SEALABLE: all gates pass and governance has enacted the candidate.',
    }),
    ready: Type.Boolean(),
    gates: Type.Array(
      exactly({
        id: Type.String(),
        pass: Type.Boolean(),
        actual: Type.Integer(),
        required: Type.Integer(),
        detail: Type.String(),
      }),
    ),
    readinessHash: Type.String({ ...Hash, description: 'hash(gates)' }),
    genesisHash: orNull(
      Hash,
      'Of the candidate, for a proposal to name; null while no validator candidate is bonded.',
    ),
    candidate: orNull(Genesis),
    enactedProposal: orNull(
      exactly({ proposalId: RecordId }),
      'The proposal by which governance has enacted this very candidate.',
    ),
    sealed: orNull(
      exactly({
        genesisHash: Hash,
        proposalId: RecordId,
        readinessHash: Hash,
        genesis: Genesis,
        migration: exactly(
          { chainId: Type.String(), height: Height, blockHash: Hash, stateRoot: Hash },
          { description: 'The state in which the holdings of every account can be proved.' },
        ),
        sealedBy: ActorId,
        sealedAt: ChainPosition,
        transitionHash: Hash,
      }),
      'The sealed genesis, final.',
    ),
    steps: Type.Array(
      exactly({
        gate: orNull(Type.String(), 'The failing gate it serves; null for the sealing itself.'),
        role: Type.String(),
        action: Type.String(),
        links: Links,
      }),
    ),
    boundaries: Type.Array(Type.String()),
  },
  build: (snapshot) => {
    const { gates, ready, readinessHash } = readinessOf(snapshot, snapshot.height + 1);
    const candidate = genesisCandidate(snapshot, snapshot.height + 1);
    const proposal = candidate && enactedProposal(snapshot, candidate.genesisHash);
    const sealed = snapshot.get('sealed-genesis', 'mainnet') ?? null;
    return {
      status: statusOf(sealed !== null, ready, Boolean(proposal)),
      ready,
      gates,
      readinessHash,
      genesisHash: candidate?.genesisHash ?? null,
      candidate: candidate?.genesis ?? null,
      enactedProposal: proposal ? { proposalId: proposal.proposalId } : null,
      sealed,
      steps: sealed
        ? []
        : stepsOf({ gates, ready }, candidate?.genesisHash ?? null, Boolean(proposal)),
      boundaries: [
        'Gates count what the state holds. They are evidence of activity, not proof that parties are independent.',
        'Fault domains are declared by those who run the machines.',
        'Balances are not carried over to the candidate; migration names the state in which they can be proved.',
        'Any change of validator candidates or operator keys gives another genesisHash, which needs a proposal of its own.',
        'This chain keeps its id and goes on after a sealing. It remains a devnet without monetary value.',
      ],
      links: {
        genesis: '/v1/genesis',
        audits: '/v1/audits',
        wallets: '/v1/wallet/releases',
        proof: proofLink('sealed-genesis', 'mainnet'),
      },
    };
  },
});

function statusOf(sealed: boolean, ready: boolean, enacted: boolean): string {
  if (sealed) return 'SEALED';
  if (!ready) return 'GATES_FAILING';
  return enacted ? 'SEALABLE' : 'AWAITING_GOVERNANCE';
}

function stepsOf(
  { gates, ready }: Pick<Readiness, 'gates' | 'ready'>,
  genesisHash: string | null,
  enacted: boolean,
): object[] {
  const steps = gates
    .filter(({ pass }) => !pass)
    .map(({ id }) => {
      const step = STEPS[id];
      if (!step) throw new Error(`nothing is said about what brings the gate ${id} further`);
      const [role, action, see] = step;
      return { gate: id, role, action, links: { see } };
    });
  return [...steps, ...sealingStep(ready, genesisHash, enacted)];
}

/** Suggests a proposal for any candidate. Suggests sealing only if all gates pass. */
function sealingStep(ready: boolean, genesisHash: string | null, enacted: boolean): object[] {
  if (enacted) {
    const see = '/v1/mainnet/readiness';
    return ready
      ? [{ gate: null, role: 'AGENT', action: 'sealMainnetGenesis', links: { see } }]
      : [];
  }
  if (genesisHash === null) return [];
  const action = 'submitProposal of kind MAINNET_GENESIS with this genesisHash as subjectHash';
  return [{ gate: null, role: 'GOVERNOR', action, links: { see: '/v1/governance/proposals' } }];
}
