/**
 * A chain on which every action, system transition and event happens once. Nothing is seeded. Committed under
 * vectors/golden-chain and replayed in every test run.
 */
import {
  SUBTREE_LEAVES,
  UNET_PER_NET,
  type GenesisPolicy,
  type JsonObject,
  type ProtectiveDelay,
} from '@netd/protocol';
import {
  beaconOf,
  checkpointOf,
  hashOf,
  hashOfDigit,
  testKey,
  workOrderOf,
} from '@netd/protocol/testing';
import { grantsIn } from '../actions/registry.ts';
import { MESSAGE_RETENTION } from '../collections.ts';
import type { WorkVote } from '../actions/work/records.ts';
import { DEFAULT_VALIDATION_POLICY } from '../actions/work/validation-policy.ts';
import type { ApplicationRole } from '../capability.ts';
import { DEVNET_POLICY } from '../genesis.ts';
import { genesisCandidate } from '../readiness.ts';
import { Rules } from '../rules.ts';
import { StateOverlay } from '../state.ts';
import {
  BUILD_HASH,
  ballotOf,
  buildOf,
  contributionOf,
  enact,
  genesisProposalOf,
  proposalOf,
  releaseOf,
  reviewOf,
} from './contributions.ts';
import { playCrossing, type Scene } from './crossing-golden-play.ts';
import { accepted } from './expectations.ts';
import { attestationOf, handoverOf, offerOf } from './refusals/memory.ts';
import { acknowledgementOf, messageOf } from './refusals/messages.ts';
import { heartbeatOf } from './refusals/presence.ts';
import {
  answerOf,
  EASY_READINESS,
  engagementOf,
  findingOf,
  walletOf,
} from './refusals/readiness.ts';
import { tokenOf } from './refusals/tokens.ts';
import { bySession, granted } from './sessions.ts';
import { evidenceOf, validatorHeartbeatOf } from './staking.ts';
import { OPERATOR, TestChain } from './test-chain.ts';
import { scheduleOf } from './rules.ts';
import { playRulesGoldenChain } from './rules-golden-play.ts';
import { playValidatorsGoldenChain } from './validators.ts';
import { committeeOf, conflictingVotes, resultOf, vote } from './work.ts';

const span = (heights: number, milliseconds: number): ProtectiveDelay => ({
  heights,
  milliseconds,
});

/** Short delays, yet longer than the scenes between. */
const GOLDEN_POLICY: GenesisPolicy = {
  ...DEVNET_POLICY,
  recoveryDelay: span(3, 2_000),
  work: {
    ...DEVNET_POLICY.work,
    acceptWithin: span(3, 20_000),
    deliverWithin: span(3, 20_000),
    verifyWithin: span(3, 20_000),
    disputeWindow: span(2, 1_000),
    resolveWithin: span(3, 20_000),
    settleWithin: span(3, 20_000),
    minimumBondedDelivery: span(1, 1),
    minimumSpans: { deliver: span(1, 1), verify: span(1, 1) },
  },
  operators: { ...DEVNET_POLICY.operators, unbondingDelay: span(3, 3_000) },
  staking: { ...DEVNET_POLICY.staking, rewardInterval: span(2, 1_000) },
  governance: {
    ...DEVNET_POLICY.governance,
    votingPeriod: span(3, 2_000),
    timelock: span(2, 1_000),
    enactWithin: span(3, 5_000),
    judgeWithin: span(2, 1_000),
    stakeQuorum: 1_000,
    utilityQuorum: 1,
  },
  readiness: EASY_READINESS,
};

const VERIFIERS = ['vera', 'vito', 'viki', 'vlad'] as const;
const AUDITORS = ['anna', 'arno', 'axel', 'abel'] as const;
const GOVERNORS = ['bob', 'carol'] as const;

function wait(chain: TestChain, { heights, milliseconds }: ProtectiveDelay): TestChain {
  for (let i = 0; i < heights; i++) chain.block([], Math.ceil(milliseconds / heights));
  chain.block([]);
  return chain;
}

const scopeOf = (role: ApplicationRole): JsonObject => ({
  capabilities: grantsIn(new Rules(1)).byRole[role].map((action) => ({
    action,
    maxAmount: 1_000 * UNET_PER_NET,
  })),
});

function takeRole(chain: TestChain, actorId: string, role: ApplicationRole): void {
  chain.install(actorId, role, scopeOf(role));
}

function arrivals(chain: TestChain): void {
  chain.join(['alice', 'bob'], ['faucet', 'transfer']);
  accepted(chain.register('carol', { referrerAgentId: 'bob', description: 'Übersetzt 🦊' }));
  // Several leaves in one block.
  const others = [...VERIFIERS, ...AUDITORS, 'rita', 'dora', 'dave', 'nora'];
  chain.block(others.map((actorId) => chain.registration(actorId))).forEach(accepted);
  const { publicKeyHash } = testKey(chain.id('house-echo'));
  chain.does(OPERATOR, 'reserveName', { actorId: 'house-echo', publicKeyHash });
  accepted(chain.register('house-echo'));
  takeRole(chain, 'hans', 'HUMAN');
  chain.does('alice', 'faucet', { amount: 900 * UNET_PER_NET });
  chain.does('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['createWorkOrder', 'cancelWorkOrder', 'createToken', 'mintToken', 'burnToken'],
  });
  chain.does('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['renounceMintAuthority', 'transferToken'],
  });
  chain.does('alice', 'transfer', { to: 'hans', amount: 5, memo: 'thanks' });
  // More events than one subtree holds.
  const gifts = Array.from({ length: SUBTREE_LEAVES + 6 }, (_, i) =>
    chain.intent('alice', 'transfer', { to: 'bob', amount: i + 1 }),
  );
  chain.block(gifts).forEach(accepted);
  chain.does('hans', 'transfer', { to: 'alice', amount: 2 });
}

function roles(chain: TestChain): void {
  for (const verifierId of VERIFIERS) {
    chain.fund(verifierId, 100 * UNET_PER_NET);
    const invitationId = chain.invited(verifierId, 'VERIFIER', scopeOf('VERIFIER'));
    accepted(chain.submit(chain.claim(verifierId, invitationId, { payoutActorId: 'alice' })));
  }
  for (const auditorId of AUDITORS) takeRole(chain, auditorId, 'AUDITOR');
  for (const governorId of GOVERNORS) {
    chain.fund(governorId, 1_020 * UNET_PER_NET);
    takeRole(chain, governorId, 'VALIDATOR');
    takeRole(chain, governorId, 'GOVERNOR');
  }
  chain.fund('rita', 100 * UNET_PER_NET);
  takeRole(chain, 'rita', 'RUNTIME_PROVIDER');
  accepted(chain.submit(chain.application('nora', 'GOVERNOR', { applicationId: 'app-1' })));
  chain.does(OPERATOR, 'rejectOperatorApplication', { applicationId: 'app-1', reason: 'not now' });
  // A role that expires and is renewed.
  const soon = { action: 'submitProposal', expiresAtHeight: chain.height + 4 };
  chain.install('nora', 'GOVERNOR', { applicationId: 'app-3', capabilities: [soon] });
  wait(chain, span(2, 200));
  chain.install('nora', 'GOVERNOR', {
    applicationId: 'app-4',
    capabilities: [{ ...soon, expiresAtHeight: chain.height + 5 }],
  });
  wait(chain, span(3, 300));
  const expiresAtHeight = chain.height + 2;
  const late = { applicationId: 'app-2', expiresAtHeight };
  accepted(chain.submit(chain.application('nora', 'GOVERNOR', late)));
  wait(chain, span(2, 200));
}

function presence(chain: TestChain): void {
  chain.does('bob', 'publishBeacon', beaconOf('bob', chain.height));
  chain.does('carol', 'publishBeacon', beaconOf('carol', chain.height));
  chain.does('carol', 'withdrawBeacon', { agentId: 'carol' });
  // One beacon is renewed in time, the other is not.
  const soon = { expiresAtHeight: chain.height + 3 };
  chain.does('dora', 'publishBeacon', { ...beaconOf('dora', chain.height), ...soon });
  chain.does('dave', 'publishBeacon', { ...beaconOf('dave', chain.height), ...soon });
  chain.does('dora', 'publishBeacon', beaconOf('dora', chain.height, { sequence: 2 }));
  wait(chain, span(3, 300));
  const place = { region: 'eu-central', countryCode: 'AT', faultDomain: 'rack-1' };
  chain.does('alice', 'submitNodeHeartbeat', heartbeatOf(chain, 'alice', place));
}

function messages(chain: TestChain): void {
  const send = (messageId: string, sequence: number, members: JsonObject = {}): TestChain =>
    chain.does(
      'alice',
      'sendAgentMessage',
      messageOf(chain, 'alice', 'bob', { messageId, sequence, ...members }),
    );
  send('m-1', 1).does('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm-1'));
  send('m-2', 2, { expiresAtHeight: chain.height + 2 });
  send('m-3', 3, { replyTo: 'm-1' });
  chain.does('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm-3', 'REJECTED'));
}

function memory(chain: TestChain): void {
  const handover = (handoverId: string, members: JsonObject = {}): TestChain =>
    chain.does(
      'alice',
      'prepareMemoryHandover',
      handoverOf(chain, 'alice', handoverId, { targetProviderId: 'rita', ...members }),
    );
  const end = (action: string, handoverId: string): TestChain =>
    chain.does('alice', action, { agentId: 'alice', handoverId });
  chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
  chain.does('rita', 'registerRuntimeOffer', offerOf(chain, 'rita', 'runtime-1'));
  handover('h-1').does('rita', 'attestMemoryRestore', attestationOf('rita', 'h-1'));
  end('finalizeMemoryHandover', 'h-1');
  handover('h-2');
  end('abortMemoryHandover', 'h-2');
  handover('h-3', { expiresAtHeight: chain.height + 2 });
  const soon = { expiresAtHeight: chain.height + 2 };
  chain.does('rita', 'registerRuntimeOffer', offerOf(chain, 'rita', 'runtime-2', soon));
  wait(chain, span(2, 200));
}

function tokens(chain: TestChain): void {
  chain.does('alice', 'createToken', tokenOf());
  chain.does('alice', 'mintToken', { tokenId: 'tok-gold', to: 'bob', amount: 5 });
  chain.does('alice', 'transferToken', { tokenId: 'tok-gold', to: 'carol', amount: 3 });
  chain.does('alice', 'burnToken', { tokenId: 'tok-gold', amount: 1 });
  chain.does('alice', 'renounceMintAuthority', { tokenId: 'tok-gold' });
}

function delivered(
  chain: TestChain,
  orderId: string,
  workerId: string,
  members: JsonObject = {},
): void {
  chain
    .does('alice', 'createWorkOrder', workOrderOf(orderId, { funding: 12_000_001, ...members }))
    .does(workerId, 'acceptWork', {
      orderId,
      agentId: workerId,
      ...('workerBond' in members ? { workerBond: members['workerBond'] } : {}),
    })
    .does(
      workerId,
      'submitWorkResult',
      resultOf(orderId, { agentId: workerId, evidence: { uri: `ipfs://${orderId}/result` } }),
    )
    .block([]);
}

function judged(chain: TestChain, orderId: string, verdict: WorkVote['vote']): void {
  for (const verifierId of committeeOf(chain, orderId).slice(0, 2)) {
    accepted(vote(chain, verifierId, verdict, orderId));
  }
}

function verified(chain: TestChain, orderId: string, workerId: string): void {
  delivered(chain, orderId, workerId);
  judged(chain, orderId, 'ACCEPT');
}

function work(chain: TestChain): void {
  const { disputeWindow, resolveWithin, settleWithin } = GOLDEN_POLICY.work;
  const short = span(1, 1);
  const create = (orderId: string, members: JsonObject = {}): TestChain =>
    chain.does('alice', 'createWorkOrder', workOrderOf(orderId, members));
  verified(chain, 'paid-1', 'bob');
  wait(chain, disputeWindow).does('bob', 'settleVerifiedWork', { orderId: 'paid-1' });
  verified(chain, 'paid-2', 'carol');
  wait(chain, disputeWindow);
  wait(chain, settleWithin);
  create('cancelled').does('alice', 'cancelWorkOrder', { orderId: 'cancelled' });
  create('for-bob', { agentId: 'bob' }).does('alice', 'cancelWorkOrder', { orderId: 'for-bob' });
  create('for-any', { requirements: [] }).does('alice', 'cancelWorkOrder', { orderId: 'for-any' });
  create('unwanted', { acceptWithin: short });
  wait(chain, span(1, 1));
  // Time passes before height.
  create('awaiting', { acceptWithin: span(4, 500) });
  chain.block([], 1_000);
  wait(chain, span(4, 400));
  const workerBond = 700;
  create('forgotten', { workerBond, deliverWithin: short, acceptWithin: span(6, 5_000) });
  for (let i = 0; i < 2; i++) {
    chain.does('bob', 'acceptWork', { orderId: 'forgotten', agentId: 'bob', workerBond });
    wait(chain, span(1, 1));
  }
  create('given-back', { workerBond });
  const back = { orderId: 'given-back' };
  chain.does('bob', 'acceptWork', { ...back, agentId: 'bob', workerBond });
  chain.does('bob', 'releaseWork', back).does('alice', 'cancelWorkOrder', back);
  create('not-mine', { agentId: 'bob' });
  chain.does('bob', 'acceptWork', { orderId: 'not-mine', agentId: 'bob' });
  chain.does('bob', 'releaseWork', { orderId: 'not-mine' });
  delivered(chain, 'rejected', 'bob', { workerBond });
  judged(chain, 'rejected', 'REJECT');
  delivered(chain, 'unjudgeable', 'bob', { workerBond });
  judged(chain, 'unjudgeable', 'UNJUDGEABLE');
  delivered(chain, 'by-session', 'bob');
  const [first = ''] = committeeOf(chain, 'by-session');
  granted(chain, first, 's-votes', { actions: ['voteWork'] });
  const ballot = { orderId: 'by-session', verifierId: first, evidenceHash: hashOfDigit('e') };
  const cast = { ...ballot, vote: 'ACCEPT' };
  accepted(chain.submit(bySession(chain, [first, 's-votes'], 'voteWork', cast)));
  delivered(chain, 'unjudged', 'bob', { verifyWithin: span(2, 500) });
  wait(chain, span(2, 500));
  wait(chain, span(2, 500));
  const dispute = (orderId: string, by: string): TestChain =>
    chain.does(by, 'openDispute', { orderId, reasonHash: hashOfDigit('f') });
  verified(chain, 'upheld', 'bob');
  dispute('upheld', 'alice').does(OPERATOR, 'resolveDispute', {
    orderId: 'upheld',
    outcome: 'REJECTED',
    reasonHash: hashOfDigit('7'),
  });
  verified(chain, 'dismissed', 'bob');
  dispute('dismissed', 'alice').does(OPERATOR, 'resolveDispute', {
    orderId: 'dismissed',
    outcome: 'PAID',
    reasonHash: hashOfDigit('8'),
  });
  verified(chain, 'unresolved', 'carol');
  dispute('unresolved', 'carol');
  wait(chain, resolveWithin);
  const [accused = ''] = committeeOf(chain, 'paid-1');
  const votes = conflictingVotes(chain, accused, 'paid-1');
  chain.does(OPERATOR, 'submitVerifierEvidence', votes);
}

/** Under version 2, whose own ways to end an order the chain `rules` has. */
function laterWork(chain: TestChain): void {
  const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, committeeSize: 2 };
  for (const [orderId, workerId] of [
    ['paid-1', 'bob'],
    ['paid-2', 'carol'],
  ] as const) {
    delivered(chain, orderId, workerId, { validationPolicy });
    judged(chain, orderId, 'ACCEPT');
    wait(chain, GOLDEN_POLICY.work.disputeWindow);
    chain.does(workerId, 'settleVerifiedWork', { orderId });
  }
  const back = { orderId: 'given-back' };
  chain.does('alice', 'createWorkOrder', workOrderOf('given-back'));
  chain.does('bob', 'acceptWork', { ...back, agentId: 'bob' }).does('bob', 'releaseWork', back);
  chain.does('alice', 'cancelWorkOrder', back);
  const [accused = ''] = committeeOf(chain, 'paid-1');
  const votes = conflictingVotes(chain, accused, 'paid-1');
  chain.does(OPERATOR, 'submitVerifierEvidence', votes);
}

function keys(chain: TestChain): void {
  const { recoveryDelay } = GOLDEN_POLICY;
  const guard = (guardians: string[], threshold: number): TestChain =>
    chain.does('dave', 'setAgentRecovery', { agentId: 'dave', guardians, threshold });
  const request = (keyName: string): string => {
    const submission = chain.recoveryRequest('bob', 'dave', testKey(chain.id(keyName)));
    accepted(chain.submit(submission));
    return submission.encoded.transitionHash;
  };
  accepted(chain.submit(chain.rotation('dave', testKey(chain.id('dave 2')))));
  chain.keys.set('dave', testKey(chain.id('dave 2')));
  guard(['bob'], 1);
  guard(['bob', 'carol'], 2);
  wait(chain, recoveryDelay);
  request('dave 3');
  wait(chain, recoveryDelay);
  const cancelled = request('dave 4');
  chain.does('dave', 'cancelAgentRecovery', { agentId: 'dave', requestId: cancelled });
  const requestId = request('dave 5');
  const on = { recoveringAgentId: 'dave', requestId };
  chain.does('carol', 'approveAgentRecovery', { agentId: 'carol', ...on });
  wait(chain, recoveryDelay).does('bob', 'executeAgentRecovery', { agentId: 'bob', ...on });
  chain.keys.set('dave', testKey(chain.id('dave 5')));
  chain.does(OPERATOR, 'setAgentStatus', { agentId: 'dave', status: 'suspended', reason: 'quiet' });
}

function sessions(chain: TestChain): void {
  granted(chain, 'alice', 's-1', { budget: 10, maxAmount: 10, label: 'laptop' });
  granted(chain, 'alice', 's-2', { expiresAtHeight: chain.height + 3 });
  accepted(chain.submit(bySession(chain, ['alice', 's-1'], 'transfer', { to: 'bob', amount: 7 })));
  chain.does('alice', 'revokeSession', { agentId: 'alice', sessionId: 's-1' });
  wait(chain, span(3, 300));
}

function staking(chain: TestChain): void {
  chain.fund('dora', 100 * UNET_PER_NET);
  chain.does('dora', 'extendAgentCapabilities', {
    agentId: 'dora',
    actions: ['delegate', 'undelegate'],
  });
  chain.does(OPERATOR, 'fundRewardPool', { amount: 1_000, source: 'treasury' });
  chain.does('dora', 'delegate', { validatorId: 'bob', amount: 50 * UNET_PER_NET });
  const beat = (): TestChain =>
    chain.does('bob', 'submitValidatorHeartbeat', validatorHeartbeatOf(chain, 'bob'));
  beat();
  wait(chain, span(2, 1_000));
  beat();
  chain.does('dora', 'undelegate', { validatorId: 'bob', amount: 20 * UNET_PER_NET });
  chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, 'bob'));
  chain.does(OPERATOR, 'revokeAuthority', { actorId: 'vlad', reason: 'collusion' });
  chain.does('rita', 'resignRole', { actorId: 'rita', role: 'RUNTIME_PROVIDER' });
  wait(chain, GOLDEN_POLICY.operators.unbondingDelay);
}

function votedOn(chain: TestChain, proposalId: string): void {
  for (const governorId of GOVERNORS) {
    chain.does(governorId, 'voteProposal', ballotOf(governorId, { proposalId }));
  }
  wait(chain, GOLDEN_POLICY.governance.votingPeriod);
}

function governance(chain: TestChain, members: JsonObject = {}): void {
  const { votingPeriod, timelock, enactWithin } = GOLDEN_POLICY.governance;
  chain.does('bob', 'submitProtocolContribution', contributionOf());
  chain.does('bob', 'submitProtocolContribution', {
    ...contributionOf({ contributionId: 'c-2', contentHash: hashOfDigit('3'), ...members }),
    supersedes: 'c-1',
  });
  const disputed = { contributionId: 'c-3', contentHash: hashOfDigit('4') };
  chain.does(
    'carol',
    'submitProtocolContribution',
    contributionOf({ agentId: 'carol', ...disputed }),
  );
  for (const [verifierId, result] of [
    ['vera', 'PASS'],
    ['vito', 'FAIL'],
  ] as const) {
    const { contributionId } = disputed;
    chain.does(verifierId, 'attestProtocolBuild', buildOf(verifierId, { contributionId, result }));
  }
  wait(chain, GOLDEN_POLICY.governance.judgeWithin);
  const unsafe = { contributionId: 'c-4', contentHash: hashOfDigit('6') };
  chain.does(
    'carol',
    'submitProtocolContribution',
    contributionOf({ agentId: 'carol', ...unsafe }),
  );
  for (const verifierId of ['vera', 'vito']) {
    const { contributionId } = unsafe;
    chain.does(verifierId, 'attestProtocolBuild', buildOf(verifierId, { contributionId }));
  }
  for (const auditorId of ['anna', 'arno']) {
    const review = reviewOf(auditorId, { contributionId: unsafe.contributionId, verdict: 'FAIL' });
    chain.does(auditorId, 'reviewProtocolContribution', review);
  }
  const on = { contributionId: 'c-2' };
  for (const verifierId of ['vera', 'vito']) {
    chain.does(verifierId, 'attestProtocolBuild', buildOf(verifierId, on));
  }
  for (const auditorId of ['anna', 'arno']) {
    chain.does(auditorId, 'reviewProtocolContribution', reviewOf(auditorId, on));
  }
  chain.does('bob', 'attributeContributionReceipt', {
    agentId: 'bob',
    contributionId: 'c-2',
    orderId: 'paid-1',
  });
  const propose = (proposalId: string): TestChain =>
    chain.does('carol', 'submitProposal', proposalOf({ governorId: 'carol', proposalId, ...on }));
  propose('p-1');
  const against = ballotOf('carol', { proposalId: 'p-1', vote: 'AGAINST' });
  chain.does('carol', 'voteProposal', against);
  wait(chain, votingPeriod);
  propose('p-2');
  votedOn(chain, 'p-2');
  wait(chain, timelock);
  wait(chain, enactWithin);
  propose('p-3');
  votedOn(chain, 'p-3');
  wait(chain, timelock).does('bob', 'enactProtocolContribution', enact('bob', 'p-3'));
  chain.does('bob', 'recordProtocolRelease', releaseOf({ governorId: 'bob', ...on }));
}

function laterGovernance(chain: TestChain): void {
  const version = 3;
  governance(chain, { rulesVersion: version });
  const release = { artifactHash: BUILD_HASH, releaseId: 'r-1', version };
  chain
    .does('bob', 'scheduleRules', scheduleOf(chain, release))
    .does('bob', 'cancelRules', { version });
}

function readiness(chain: TestChain): void {
  for (const status of ['suspended', 'active']) {
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'abel', status });
  }
  chain.does(OPERATOR, 'setAgentStatus', { agentId: 'dave', status: 'retired' });
  for (const [auditorId, digit] of [
    ['anna', 'a'],
    ['arno', 'a'],
    ['axel', 'b'],
    ['abel', 'b'],
  ] as const) {
    const artifactHash = hashOfDigit(digit);
    chain.does(auditorId, 'attestWalletDistribution', walletOf(auditorId, { artifactHash }));
  }
  const auditorIds = ['anna', 'arno'];
  chain
    .does(OPERATOR, 'createAuditEngagement', engagementOf(chain, { auditorIds }))
    .does('anna', 'submitAuditFinding', findingOf('anna', 'CRITICAL'));
  for (const [severity, response] of [
    ['HIGH', 'DISPUTED'],
    ['MEDIUM', 'RISK_ACCEPTED'],
    ['LOW', 'ACCEPTED'],
  ] as const) {
    chain
      .does('anna', 'submitAuditFinding', findingOf('anna', severity))
      .does(OPERATOR, 'respondAuditFinding', answerOf(severity, response));
  }
  const confirming = { severity: 'INFO', findingId: 'confirmed-HIGH', confirms: 'finding-HIGH' };
  chain
    .does('arno', 'submitAuditFinding', { ...findingOf('arno', 'INFO'), ...confirming })
    .does(OPERATOR, 'respondAuditFinding', answerOf('CRITICAL', 'FIXED'))
    .does('arno', 'submitAuditFinding', {
      ...findingOf('arno', 'INFO'),
      confirms: 'finding-CRITICAL',
    })
    .does(OPERATOR, 'closeAuditEngagement', { engagementId: 'audit-1' });
  const unreported = { engagementId: 'audit-2', dueAtHeight: chain.height + 2 };
  chain.does(OPERATOR, 'createAuditEngagement', engagementOf(chain, unreported));
  wait(chain, span(2, 200));
}

function sealing(chain: TestChain): void {
  const genesisHash = (): string =>
    genesisCandidate(new StateOverlay(chain.ledger), chain.height + 1)?.genesisHash ?? hashOf(0);
  const proposal = { governorId: 'bob', proposalId: 'p-4', subjectHash: genesisHash() };
  chain.does('bob', 'submitProposal', genesisProposalOf(proposal));
  votedOn(chain, 'p-4');
  wait(chain, GOLDEN_POLICY.governance.timelock);
  chain.does('bob', 'enactProtocolContribution', enact('bob', 'p-4'));
  chain.does('alice', 'sealMainnetGenesis', { agentId: 'alice', genesisHash: genesisHash() });
}

/** The message is pruned 20,000 heights after its end. */
function playQuietGoldenChain(): TestChain {
  const chain = new TestChain({ chainId: 'net-golden-quiet-1', policy: GOLDEN_POLICY });
  chain.join(['alice', 'bob'], ['transfer']);
  chain.does('alice', 'sendAgentMessage', messageOf(chain, 'alice', 'bob', { messageId: 'm-1' }));
  chain.does('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm-1'));
  const pruned = chain.height + MESSAGE_RETENTION + 1;
  while (chain.height < pruned) chain.block([]);
  // Only blocks with transitions prune.
  chain.does(OPERATOR, 'transfer', { to: 'alice', amount: 1 });
  return chain;
}

const SCENES = [
  arrivals,
  roles,
  presence,
  messages,
  memory,
  tokens,
  work,
  keys,
  sessions,
  staking,
  governance,
];

function playGoldenChain(): TestChain {
  const chain = new TestChain({ chainId: 'net-golden-1', policy: GOLDEN_POLICY });
  for (const scene of [...SCENES, readiness, sealing]) scene(chain);
  return chain;
}

function playCrossingGoldenChain(): TestChain {
  const chain = new TestChain({ chainId: 'net-golden-crossing-1', policy: GOLDEN_POLICY });
  const changed = new Map<Scene, Scene>([
    [work, laterWork],
    [governance, laterGovernance],
  ]);
  const later = SCENES.map((scene) => changed.get(scene) ?? scene);
  return playCrossing(chain, [...SCENES, readiness], [...later, readiness, sealing]);
}

/** By file name. */
export const GOLDEN_PLAYS: Readonly<
  Record<'secure' | 'open' | 'quiet' | 'validators' | 'rules' | 'crossing', () => TestChain>
> = {
  secure: playGoldenChain,
  open: playOpenGoldenChain,
  quiet: playQuietGoldenChain,
  validators: playValidatorsGoldenChain,
  rules: playRulesGoldenChain,
  crossing: playCrossingGoldenChain,
};

/** For open mode. */
function playOpenGoldenChain(): TestChain {
  const chain = new TestChain({ chainId: 'net-golden-open-1', policy: GOLDEN_POLICY, open: true });
  chain.join(['alice']);
  const payload = checkpointOf('alice', 1);
  accepted(chain.submit(chain.openTransition('alice', 'commitMemoryCheckpoint', payload)));
  wait(chain, span(2, 200));
  return chain;
}
