/** The path to a mainnet by actions alone, without seeded records. */
// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import assert from 'node:assert/strict';
import { UNET_PER_NET, type Genesis, type GenesisPolicy } from '@netd/protocol';
import { workOrderOf } from '@netd/protocol/testing';
import { ROLE_SETS } from '../actions/registry.ts';
import { DEVNET_POLICY } from '../genesis.ts';
import { genesisCandidate, readinessOf } from '../readiness.ts';
import { StateOverlay } from '../state.ts';
import {
  ballotOf,
  buildOf,
  contributionIn,
  contributionOf,
  enact,
  genesisProposalOf,
  makeGovernor,
  proposalIn,
  proposalOf,
  releaseOf,
  reviewOf,
  stake,
  timelockEnds,
  voteEnds,
} from './contributions.ts';
import { accepted, refused } from './expectations.ts';
import { heartbeatOf } from './refusals/presence.ts';
import { engagementOf, findingOf, walletOf } from './refusals/readiness.ts';
import { OPERATOR, TestChain } from './test-chain.ts';
import { committeeOf, pass, resultOf, vote } from './work.ts';

/** Every gate has a small requirement. */
const POLICY: Partial<GenesisPolicy> = {
  governance: { ...DEVNET_POLICY.governance, stakeQuorum: 1_000, utilityQuorum: 2 },
  readiness: {
    validators: 4,
    validatorFaultDomains: 1,
    verifiers: 3,
    verifierGroups: 3,
    auditorGroups: 2,
    runtimeProviders: 1,
    providerFaultDomains: 1,
    agents: 4,
    paidOrders: 2,
    qualifiedReferrals: 1,
    followerNodes: 1,
    closedAudits: 1,
    releases: 1,
    walletChannels: 1,
  },
};
const VERIFIERS = ['vera', 'vito', 'viki'] as const;
const AUDITORS = ['anna', 'arno'] as const;
const GOVERNORS = ['bob', 'carol'] as const;
/** The first validators of the mainnet. */
const FOUNDERS = [...GOVERNORS, 'fay', 'finn'] as const;

export const readiness = (chain: TestChain) =>
  readinessOf(new StateOverlay(chain.ledger), chain.height + 1);
export const failing = (chain: TestChain): string[] =>
  readiness(chain)
    .gates.filter(({ pass: passes }) => !passes)
    .map(({ id }) => id);
export const candidateOf = (chain: TestChain) => {
  const candidate = genesisCandidate(new StateOverlay(chain.ledger), chain.height + 1);
  assert.ok(candidate);
  return candidate;
};
export const sealing = (chain: TestChain, genesisHash = candidateOf(chain).genesisHash) =>
  chain.intent('alice', 'sealMainnetGenesis', { agentId: 'alice', genesisHash });

function peopled(): TestChain {
  const chain = new TestChain({ policy: POLICY });
  chain.join(['alice'], ['createWorkOrder']).join(['bob', ...VERIFIERS, ...AUDITORS, 'rita']);
  accepted(chain.register('carol', { referrerAgentId: 'bob' }));
  chain.fund('alice', 1_000 * UNET_PER_NET);
  for (const verifierId of VERIFIERS) {
    const capabilities = ROLE_SETS.VERIFIER.map((action) => ({ action }));
    chain.fund(verifierId, 100 * UNET_PER_NET).install(verifierId, 'VERIFIER', { capabilities });
  }
  for (const auditorId of AUDITORS) {
    const capabilities = ROLE_SETS.AUDITOR.map((action) => ({ action }));
    chain.install(auditorId, 'AUDITOR', { capabilities });
  }
  chain.join(['fay', 'finn']);
  for (const founderId of FOUNDERS) stake(chain, founderId);
  for (const governorId of GOVERNORS) makeGovernor(chain, governorId);
  return chain.fund('rita', 100 * UNET_PER_NET).install('rita', 'RUNTIME_PROVIDER');
}

function paidWork(chain: TestChain, orderId: string, agentId: string): void {
  chain
    .does('alice', 'createWorkOrder', workOrderOf(orderId))
    .does(agentId, 'acceptWork', { orderId, agentId })
    .does(agentId, 'submitWorkResult', resultOf(orderId, { agentId }))
    .block([]);
  for (const verifierId of committeeOf(chain, orderId).slice(0, 2)) {
    accepted(vote(chain, verifierId, 'ACCEPT', orderId));
  }
  pass(chain, DEVNET_POLICY.work.disputeWindow).does(agentId, 'settleVerifiedWork', { orderId });
}

/** The proposal is voted, waits and is enacted. */
function carried(chain: TestChain, proposalId: string): void {
  for (const governorId of GOVERNORS) {
    chain.does(governorId, 'voteProposal', ballotOf(governorId, { proposalId }));
  }
  refused(
    chain,
    chain.intent('bob', 'enactProtocolContribution', enact('bob', proposalId)),
    'PROPOSAL_NOT_PASSED',
  );
  voteEnds(chain);
  assert.equal(proposalIn(chain, proposalId).status, 'PASSED');
  refused(
    chain,
    chain.intent('bob', 'enactProtocolContribution', enact('bob', proposalId)),
    'TIMELOCK_RUNNING',
  );
  timelockEnds(chain).does('bob', 'enactProtocolContribution', enact('bob', proposalId));
}

function releasedContribution(chain: TestChain): void {
  chain.does('bob', 'submitProtocolContribution', contributionOf());
  for (const verifierId of ['vera', 'vito']) {
    chain.does(verifierId, 'attestProtocolBuild', buildOf(verifierId));
  }
  for (const auditorId of AUDITORS) {
    chain.does(auditorId, 'reviewProtocolContribution', reviewOf(auditorId));
  }
  chain.does('carol', 'submitProposal', proposalOf({ governorId: 'carol' }));
  carried(chain, 'p-1');
  chain.does('bob', 'recordProtocolRelease', releaseOf({ governorId: 'bob' }));
  assert.equal(contributionIn(chain).status, 'DEPLOYED');
}

/** Checks the failing gates after each step. */
function ready(): TestChain {
  const chain = peopled();
  const steps: [left: string[], step: () => void][] = [
    [
      ['paid-orders', 'qualified-referrals', 'follower-nodes', 'closed-audits', 'releases'],
      () => {
        paidWork(chain, 'o-1', 'bob');
        paidWork(chain, 'o-2', 'carol');
      },
    ],
    [
      ['follower-nodes', 'closed-audits', 'releases'],
      () => chain.does('alice', 'submitNodeHeartbeat', heartbeatOf(chain, 'alice')),
    ],
    [['closed-audits', 'releases'], () => releasedContribution(chain)],
    [
      ['closed-audits'],
      () =>
        chain
          .does(OPERATOR, 'createAuditEngagement', engagementOf(chain))
          .does('anna', 'submitAuditFinding', findingOf('anna', 'CRITICAL')),
    ],
    [
      ['closed-audits', 'open-critical-findings'],
      () =>
        chain
          .does(OPERATOR, 'respondAuditFinding', {
            findingId: 'finding-CRITICAL',
            response: 'FIXED',
            responseHash: 'b'.repeat(64),
          })
          .does('arno', 'submitAuditFinding', {
            ...findingOf('arno', 'INFO'),
            confirms: 'finding-CRITICAL',
          })
          .does(OPERATOR, 'closeAuditEngagement', { engagementId: 'audit-1' }),
    ],
    [
      [],
      () => {
        for (const auditorId of AUDITORS) {
          chain.does(auditorId, 'attestWalletDistribution', walletOf(auditorId));
        }
      },
    ],
  ];
  for (const [left, step] of steps) {
    assert.deepEqual(failing(chain).toSorted(), [...left, 'wallet-channels'].toSorted());
    refused(chain, sealing(chain), 'READINESS_GATES_FAILING');
    step();
  }
  assert.deepEqual(failing(chain), []);
  return chain;
}

/** Also enacts the candidate genesis. */
export function decided(): TestChain {
  const chain = ready();
  refused(chain, sealing(chain), 'GENESIS_NOT_ENACTED');
  const subjectHash = candidateOf(chain).genesisHash;
  const proposal = { governorId: 'bob', proposalId: 'p-2', subjectHash };
  chain.does('bob', 'submitProposal', genesisProposalOf(proposal));
  carried(chain, 'p-2');
  return chain;
}

/** The consensus key of each validator is `testKey('<its id> consensus')`. */
export function sealedGenesis(): Genesis {
  const chain = decided();
  const { genesis } = candidateOf(chain);
  accepted(chain.submit(sealing(chain)));
  return genesis;
}
