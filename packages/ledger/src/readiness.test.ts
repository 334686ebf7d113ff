import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashValue, MAX_GENESIS_VALIDATORS, TOTAL_SUPPLY, UNET_PER_NET } from '@netd/protocol';
import { COUNTERS } from './counter-names.ts';
import { DEVNET_POLICY, validateGenesis } from './genesis.ts';
import { genesisCandidate, readinessOf, successorId } from './readiness.ts';
import { StateOverlay } from './state.ts';
import { accepted } from './testing/expectations.ts';
import { testKey } from '@netd/protocol/testing';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { standardChain } from './testing/refusals/case.ts';
import {
  candidateHash,
  EASY_READINESS,
  openUp,
  sealable,
  seedEnacted,
  sealOf,
  withAuditors,
  withCandidate,
} from './testing/refusals/readiness.ts';
import { evidenceOf } from './testing/staking.ts';
import { OPERATOR, type TestChain } from './testing/test-chain.ts';

const readiness = (chain: TestChain) =>
  readinessOf(new StateOverlay(chain.ledger), chain.height + 1);
const candidate = (chain: TestChain) =>
  genesisCandidate(new StateOverlay(chain.ledger), chain.height + 1);
const easy = () => standardChain({ readiness: EASY_READINESS });

/** Gates, counters and requirements; null requires zero. */
const GATES = [
  ['validators', 'eligible-validator-candidates', 'validators'],
  ['validator-fault-domains', 'validator-fault-domains', 'validatorFaultDomains'],
  ['verifiers', 'active-verifiers', 'verifiers'],
  ['verifier-groups', 'verifier-groups', 'verifierGroups'],
  ['auditor-groups', 'auditor-groups', 'auditorGroups'],
  ['runtime-providers', 'active-runtime-providers', 'runtimeProviders'],
  ['provider-fault-domains', 'provider-fault-domains', 'providerFaultDomains'],
  ['agents', 'active-agents', 'agents'],
  ['paid-orders', 'substantial-orders', 'paidOrders'],
  ['qualified-referrals', 'qualified-referrals', 'qualifiedReferrals'],
  ['follower-nodes', 'node-heartbeats', 'followerNodes'],
  ['closed-audits', 'audit-engagements-closed', 'closedAudits'],
  ['releases', 'releases', 'releases'],
  ['wallet-channels', 'wallet-channels-attested', 'walletChannels'],
  ['open-critical-findings', 'open-findings-critical', null],
  ['open-high-findings', 'open-findings-high', null],
] as const;

const DELAY_GATES = [
  'dispute-window',
  'recovery-delay',
  'voting-period',
  'timelock',
  'unbonding-delay',
];

describe('readiness gates:', () => {
  test('delays pass if the policy gives enough time, and are absent if it requires none', () => {
    const delays = {
      disputeWindow: DEVNET_POLICY.work.disputeWindow.milliseconds,
      recoveryDelay: 60_001,
      votingPeriod: 0,
      timelock: 86_400_000,
      unbondingDelay: 1,
    };
    const asking = standardChain({ readiness: { ...DEVNET_POLICY.readiness, delays } });
    const gates = readiness(asking).gates.filter(({ id }) => DELAY_GATES.includes(id));
    assert.deepEqual(
      gates.map(({ id, pass, actual, required }) => [id, pass, actual, required]),
      [
        ['dispute-window', true, 30_000, 30_000],
        ['recovery-delay', false, 60_000, 60_001],
        ['voting-period', true, 20_000, 0],
        ['timelock', false, 15_000, 86_400_000],
        ['unbonding-delay', true, 900_000, 1],
      ],
    );
    assert.ok(readiness(easy()).gates.every(({ id }) => !DELAY_GATES.includes(id)));
  });
  test('verifiers that can no longer vote do not count, and neither do their groups', () => {
    const chain = easy();
    const scope = (expiresAtHeight: number) => ({
      capabilities: [{ action: 'voteWork', expiresAtHeight }],
    });
    const last = chain.height + 40;
    for (const [verifierId, until] of [
      ['vera', last],
      ['vito', last + 900],
      ['viki', last],
    ] as const) {
      chain.register(verifierId);
      chain.fund(verifierId, 100 * UNET_PER_NET).install(verifierId, 'VERIFIER', scope(until));
    }
    const counted = (): unknown[] =>
      readiness(chain)
        .gates.filter(({ id }) => id === 'verifiers' || id === 'verifier-groups')
        .map(({ actual }) => actual);
    while (chain.height < last - 1) chain.block([]);
    assert.deepEqual(counted(), [3, 3]);
    chain.block([]);
    assert.deepEqual(counted(), [1, 1]);
  });
  test('each reads its counter and passes exactly at the requirement', () => {
    const chain = standardChain();
    for (const [id, counter, requirement] of GATES) {
      assert.ok(counter in COUNTERS);
      const required = requirement ? DEVNET_POLICY.readiness[requirement] : 0;
      for (const [actual, pass] of [
        [required - 1, requirement === null],
        [required, true],
        [required + 1, requirement !== null],
      ] as const) {
        if (actual < 0) continue;
        chain.ledger.seed('counter', counter, actual);
        const gate = readiness(chain).gates.find((one) => one.id === id);
        assert.deepEqual(
          [gate?.pass, gate?.actual, gate?.required],
          [pass, actual, required],
          `${id} at ${actual}`,
        );
      }
    }
  });
  test('are all there, all failing or passing for a reason, with one hash over them', () => {
    const { gates, ready, readinessHash } = readiness(standardChain());
    assert.deepEqual(
      new Set(gates.map(({ id }) => id)),
      new Set(['secure-mode', ...GATES.map(([id]) => id), ...DELAY_GATES]),
    );
    assert.deepEqual(
      gates.filter(({ pass }) => pass).map(({ id }) => id),
      ['secure-mode', 'open-critical-findings', 'open-high-findings'],
    );
    assert.equal(ready, false);
    assert.equal(readinessHash, hashValue(gates));
  });
  test('an open chain is never ready', () => {
    const chain = sealable(easy());
    assert.equal(readiness(chain).ready, true);
    openUp(chain);
    assert.equal(readiness(chain).ready, false);
  });
});

describe('groups and fault domains:', () => {
  const counter = (chain: TestChain, name: keyof typeof COUNTERS): number =>
    chain.record('counter', name) ?? 0;
  test('a fault domain counts once, until its last candidate has left', () => {
    const chain = standardChain();
    withCandidate(chain, 'alice', 'rack-1');
    withCandidate(chain, 'bob', 'rack-1');
    withCandidate(chain, 'carol', 'rack-2');
    assert.equal(counter(chain, 'validator-fault-domains'), 2);
    for (const [actorId, left] of [
      ['alice', 2],
      ['bob', 1],
      ['carol', 0],
    ] as const) {
      chain.does(OPERATOR, 'revokeAuthority', { actorId });
      assert.equal(counter(chain, 'validator-fault-domains'), left, actorId);
    }
    assert.deepEqual(chain.record('validator-roster', 'active')?.validatorIds, []);
    assert.deepEqual(
      [...chain.ledger.pairs().keys()].filter((key) => key.startsWith('group-members/')),
      [],
    );
  });
  test('verifiers, auditors and providers count towards theirs', () => {
    const chain = withAuditors(standardChain(), 'alice', 'bob');
    chain
      .fund('alice', 200_000_000)
      .install('alice', 'VERIFIER')
      .install('alice', 'RUNTIME_PROVIDER');
    assert.equal(counter(chain, 'auditor-groups'), 2);
    assert.equal(counter(chain, 'verifier-groups'), 1);
    assert.equal(counter(chain, 'provider-fault-domains'), 1);
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    assert.equal(counter(chain, 'auditor-groups'), 1);
    assert.equal(counter(chain, 'verifier-groups'), 0);
    assert.equal(counter(chain, 'provider-fault-domains'), 0);
  });
});

describe('the genesis candidate:', () => {
  test('is none without a validator candidate', () => {
    assert.equal(candidate(standardChain()), null);
  });
  test('leaves out proven double voters, as the gates do', () => {
    const chain = withCandidate(withCandidate(standardChain()), 'bob', 'rack-2');
    const valid = () => [
      candidate(chain)?.genesis.validators.map(({ validatorId }) => validatorId),
      ...['validators', 'validator-fault-domains'].map(
        (id) => readiness(chain).gates.find((gate) => gate.id === id)?.actual,
      ),
    ];
    assert.deepEqual(valid(), [['dave', 'bob'], 2, 2]);
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, 'dave', 7));
    assert.deepEqual(valid(), [['bob'], 1, 1]);
    // Neither another fault nor a revocation counts again.
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, 'dave', 8));
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'dave' });
    assert.deepEqual(valid(), [['bob'], 1, 1]);
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'bob' });
    chain.does(OPERATOR, 'submitValidatorEvidence', evidenceOf(chain, 'bob', 7));
    assert.deepEqual(valid(), [undefined, 0, 0]);
  });
  test('starts a chain of its own: another id, the next epoch, no faucet, the whole supply', () => {
    const chain = withCandidate(standardChain());
    const { genesis } = candidate(chain)!;
    assert.equal(validateGenesis(genesis), null);
    const identity = chain.record('chain', 'identity')!;
    assert.deepEqual(
      [genesis.chainId, genesis.epoch, genesis.open, genesis.policy.faucet.enabled],
      ['net-test-2', 2, false, false],
    );
    assert.deepEqual(genesis.migration, {
      chainId: identity.chainId,
      epoch: 1,
      genesisHash: identity.genesisHash,
    });
    assert.deepEqual(genesis.validators, [
      {
        validatorId: 'dave',
        consensusPublicKey: testKey('dave consensus').publicKey,
        votingPower: 1,
        faultDomain: 'rack-1',
      },
    ]);
    assert.equal(
      genesis.accounts.reduce((sum, { balance }) => sum + balance, 0),
      TOTAL_SUPPLY,
    );
    // It starts a chain.
    assert.equal(new MemoryLedger(genesis).tip.height, 0);
  });
  test('keeps its hash while heights pass, money moves and agents come', () => {
    const chain = withCandidate(standardChain());
    const before = candidateHash(chain.ledger);
    chain.ledger.advance(1_000, 3_600_000);
    chain.join(['erin']).does('alice', 'faucet', { amount: 1_000 }).fund('bob', 5);
    assert.equal(candidateHash(chain.ledger), before);
  });
  test('changes with candidates and with the key of an operator', () => {
    const chain = withCandidate(standardChain());
    const hashes = [candidateHash(chain.ledger)];
    withCandidate(chain, 'bob');
    hashes.push(candidateHash(chain.ledger));
    accepted(chain.submit(chain.rotation(OPERATOR, testKey('operator 2'))));
    chain.keys.set(OPERATOR, testKey('operator 2'));
    hashes.push(candidateHash(chain.ledger));
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'bob' });
    hashes.push(candidateHash(chain.ledger));
    assert.equal(new Set(hashes).size, 4);
    assert.equal(
      candidate(chain)?.genesis.operators[0]?.publicKey,
      testKey('operator 2').publicKey,
    );
  });
  test('takes over the longest bonded, at most 64', () => {
    const chain = withCandidate(standardChain());
    const dave = chain.record('validator-candidate', 'dave')!;
    for (const [total, expected] of [
      [MAX_GENESIS_VALIDATORS - 1, MAX_GENESIS_VALIDATORS - 1],
      [MAX_GENESIS_VALIDATORS, MAX_GENESIS_VALIDATORS],
      [MAX_GENESIS_VALIDATORS + 1, MAX_GENESIS_VALIDATORS],
    ] as const) {
      const validatorIds = Array.from({ length: total }, (_, i) => `v-${i}`);
      for (const actorId of validatorIds) {
        chain.ledger.seed('validator-candidate', actorId, {
          ...dave,
          actorId,
          consensusPublicKey: testKey(actorId).publicKey,
        });
      }
      chain.ledger.seed('validator-roster', 'active', { validatorIds });
      const found = candidate(chain)!.genesis.validators.map(({ validatorId }) => validatorId);
      assert.deepEqual(found, validatorIds.slice(0, expected));
    }
  });
  test('has an id that follows from that of this chain', () => {
    const identity = easy().record('chain', 'identity')!;
    for (const [chainId, epoch, expected] of [
      ['net-devnet-1', 1, 'net-mainnet-2'],
      ['net-devnet-x7k3m9qa', 1, 'net-mainnet-x7k3m9qa-2'],
      ['net-devnet-1', 2, 'net-mainnet-1-3'],
      ['net-mainnet-2', 2, 'net-mainnet-3'],
      ['demo', 1, 'demo-2'],
      ['d'.repeat(48), 1, `${'d'.repeat(48)}-2`],
      ['d'.repeat(49), 1, `net-${identity.genesisHash.slice(0, 16)}-2`],
    ] as const) {
      assert.equal(successorId({ ...identity, chainId, epoch }), expected);
    }
  });
});

describe('sealing:', () => {
  test('emits and stores the genesis that governance enacted, and the chain goes on', () => {
    const chain = sealable(easy());
    const genesis = candidate(chain)!.genesis;
    const { height, blockHash, stateRoot } = chain.ledger.tip;
    const genesisHash = candidateHash(chain.ledger);
    const { readinessHash } = readiness(chain);
    const [event] = accepted(chain.act('alice', 'sealMainnetGenesis', sealOf(chain, 'alice')));
    const sealed = {
      genesisHash,
      proposalId: `proposal-${genesisHash.slice(0, 8)}`,
      readinessHash,
      genesis,
      migration: { chainId: 'net-test-1', height, blockHash, stateRoot },
    };
    assert.deepEqual(event, {
      type: 'MainnetGenesisSealed',
      data: { agentId: 'alice', ...sealed },
    });
    const { sealedBy, sealedAt, transitionHash, ...record } = chain.record(
      'sealed-genesis',
      'mainnet',
    )!;
    assert.deepEqual(record, sealed);
    assert.deepEqual([sealedBy, sealedAt], ['alice', { height: chain.height, index: 0 }]);
    assert.equal(transitionHash, chain.ledger.blocks.at(-1)?.transitionHashes[0]);
    assert.equal(chain.record('chain', 'identity')?.chainId, 'net-test-1');
    chain.does('alice', 'faucet', { amount: 1 });
  });
  test('accepts a candidate that has returned to the enacted one', () => {
    const chain = sealable(easy());
    const payload = sealOf(chain, 'alice');
    withCandidate(chain, 'bob').does(OPERATOR, 'revokeAuthority', { actorId: 'bob' });
    accepted(chain.act('alice', 'sealMainnetGenesis', payload));
  });
  test('takes whichever of several enacted hashes is that of the candidate', () => {
    const chain = sealable(easy());
    withCandidate(chain, 'bob');
    seedEnacted(chain.ledger, candidateHash(chain.ledger));
    accepted(chain.act('carol', 'sealMainnetGenesis', sealOf(chain, 'carol')));
  });
});
