import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FREE_NAMES,
  genesisHash,
  MAX_GENESIS_VALIDATORS,
  TOTAL_SUPPLY,
  type Genesis,
} from '@netd/protocol';
import { CLASS_NAMES, classAccount, classOf } from './accounting-classes.ts';
import { devnetGenesis, validateGenesis, genesisState, genesisValidatorSet } from './genesis.ts';
import { pemOfRaw, testKey, torsionKey } from './testing/index.ts';
import { CHAIN_ID, GENESIS_TIME } from './testing/test-chain.ts';

const devnet = (): Genesis =>
  devnetGenesis({
    chainId: CHAIN_ID,
    genesisTime: GENESIS_TIME,
    operator: { actorId: 'operator', publicKey: testKey('operator').publicKey },
    validator: { validatorId: 'validator-1', consensusPublicKey: testKey('validator').publicKey },
  });

const migrationOf = (
  { chainId }: Genesis,
  members: Partial<NonNullable<Genesis['migration']>>,
): Genesis['migration'] => ({ chainId, epoch: 1, genesisHash: '0'.repeat(64), ...members });

/** One fault each, and its message. */
const FAULTS: readonly (readonly [
  rule: string,
  fault: RegExp,
  spoil: (genesis: Genesis) => unknown,
])[] = [
  ['is an object', /must be object/, () => null],
  ['has no further members', /note/, (genesis) => ({ ...genesis, note: '' })],
  ['has its schema', /schema/, (genesis) => ({ ...genesis, schema: 'NET-GENESIS/2' })],
  ['has a plain chain id', /chainId/, (genesis) => ({ ...genesis, chainId: 'net devnet' })],
  ['has an epoch from 1', /epoch/, (genesis) => ({ ...genesis, epoch: 0 })],
  ['has operators', /operators/, (genesis) => ({ ...genesis, operators: [] })],
  ['has validators', /validators/, (genesis) => ({ ...genesis, validators: [] })],
  ['has a time', /genesisTime/, (genesis) => ({ ...genesis, genesisTime: '2026-01-01' })],
  [
    'has a time that exists',
    /no real instant/,
    (genesis) => ({ ...genesis, genesisTime: '2026-02-30T00:00:00.000Z' }),
  ],
  [
    'has a time within the day',
    /no real instant/,
    (genesis) => ({ ...genesis, genesisTime: '2026-02-03T24:00:00.000Z' }),
  ],
  [
    'follows a chain of the epoch before',
    /migration/,
    (genesis) => ({ ...genesis, migration: migrationOf(genesis, { chainId: 'net-before-1' }) }),
  ],
  [
    'follows another chain than itself',
    /migration/,
    (genesis) => ({ ...genesis, epoch: 2, migration: migrationOf(genesis, { epoch: 1 }) }),
  ],
  [
    'asks for no more validators than it could take over',
    /readiness/,
    (genesis) => ({
      ...genesis,
      policy: {
        ...genesis.policy,
        readiness: { ...genesis.policy.readiness, validators: MAX_GENESIS_VALIDATORS + 1 },
      },
    }),
  ],
  [
    'sums to the whole supply, not below',
    /sum to 999999999999999,/,
    (genesis) => withBalance(genesis, -1),
  ],
  [
    'sums to the whole supply, not above',
    /sum to 1000000000000001,/,
    (genesis) => withBalance(genesis, 1),
  ],
  ['has no negative balance', /balance/, (genesis) => withBalance(genesis, -TOTAL_SUPPLY)],
  [
    'names an account once',
    /stands twice/,
    (genesis) => ({ ...genesis, accounts: [...genesis.accounts, genesis.accounts[0]] }),
  ],
  [
    'funds no class that there is not',
    /net:pocket is the account of no accounting class/,
    (genesis) => ({
      ...genesis,
      accounts: [...genesis.accounts, { accountId: 'net:pocket', balance: 0 }],
    }),
  ],
  [
    'funds no name that is still free to register',
    /olga has an account but no operator of this name/,
    (genesis) => ({
      ...genesis,
      accounts: [...genesis.accounts, { accountId: 'olga', balance: 0 }],
    }),
  ],
  [
    'has no vote that outlasts the unbonding of stake in heights',
    /votingPeriod is longer/,
    (genesis) => withVotingPeriod(genesis, { heights: 1_001, milliseconds: 900_000 }),
  ],
  [
    'nor in time',
    /votingPeriod is longer/,
    (genesis) => withVotingPeriod(genesis, { heights: 1_000, milliseconds: 900_001 }),
  ],
  [
    'gives a worker at least the minimum time if an order sets none',
    /shorter than policy.work.minimumSpans/,
    (genesis) => withWork(genesis, { deliverWithin: { heights: 4, milliseconds: 86_400_000 } }),
  ],
  [
    'gives a committee at least the minimum time',
    /shorter than policy.work.minimumSpans/,
    (genesis) => withWork(genesis, { verifyWithin: { heights: 100, milliseconds: 59_999 } }),
  ],
  [
    'asks for at least half of what voted',
    /majorityBps/,
    (genesis) => withGovernance(genesis, { majorityBps: 4_999 }),
  ],
  [
    'asks for no more than all of it',
    /majorityBps/,
    (genesis) => withGovernance(genesis, { majorityBps: 10_000 }),
  ],
  [
    'has a quorum of stake',
    /stakeQuorum/,
    (genesis) => withGovernance(genesis, { stakeQuorum: 0 }),
  ],
  [
    'has a quorum of utility',
    /utilityQuorum/,
    (genesis) => withGovernance(genesis, { utilityQuorum: 0 }),
  ],
  [
    'has valid operator keys',
    /unusable public key/,
    (genesis) => withOperator(genesis, 'olga', torsionKey('olga').publicKey),
  ],
  [
    'has no operator key of small order',
    /unusable public key/,
    (genesis) => withOperator(genesis, 'olga', pemOfRaw(new Uint8Array(32))),
  ],
  [
    'has an operator key that is a PEM',
    /unusable public key/,
    (genesis) => withOperator(genesis, 'olga', 'a key'),
  ],
  [
    'gives no key to two operators, however it is written',
    /share a key/,
    (genesis) =>
      withOperator(genesis, 'olga', testKey('operator').publicKey.replaceAll('\n', '\r\n')),
  ],
  [
    'gives no name to two operators, however they are spelled',
    /one name/,
    (genesis) => ({
      ...genesis,
      operators: [
        ...genesis.operators,
        { actorId: 'OPER-ATOR', publicKey: testKey('another').publicKey },
      ],
    }),
  ],
  [
    'gives no id to two operators',
    /share an actorId/,
    (genesis) => withOperator(genesis, 'operator', testKey('olga').publicKey),
  ],
  [
    'gives no id to two validators',
    /a validatorId stands twice/,
    (genesis) => ({ ...genesis, validators: [...genesis.validators, ...genesis.validators] }),
  ],
  [
    'has valid validator keys',
    /the validators/,
    (genesis) => ({
      ...genesis,
      validators: [{ ...genesis.validators[0], consensusPublicKey: torsionKey('v').publicKey }],
    }),
  ],
  [
    'has delays that pass',
    /recoveryDelay\/heights/,
    (genesis) => ({
      ...genesis,
      policy: { ...genesis.policy, recoveryDelay: { heights: 0, milliseconds: 1 } },
    }),
  ],
  [
    'has bonds that are worth something',
    /operators\/minimumBonds\/verifier/,
    (genesis) => {
      const { operators } = genesis.policy;
      const minimumBonds = { ...operators.minimumBonds, verifier: 0 };
      return {
        ...genesis,
        policy: { ...genesis.policy, operators: { ...operators, minimumBonds } },
      };
    },
  ],
  [
    'allows no longer scopes than envelopes hold',
    /operators\/maxCapabilities/,
    (genesis) => {
      const operators = { ...genesis.policy.operators, maxCapabilities: 65 };
      return { ...genesis, policy: { ...genesis.policy, operators } };
    },
  ],
];

function withGovernance(
  genesis: Genesis,
  members: Partial<Genesis['policy']['governance']>,
): Genesis {
  const governance = { ...genesis.policy.governance, ...members };
  return { ...genesis, policy: { ...genesis.policy, governance } };
}

function withWork(genesis: Genesis, members: Partial<Genesis['policy']['work']>): Genesis {
  const work = { ...genesis.policy.work, ...members };
  return { ...genesis, policy: { ...genesis.policy, work } };
}

const withVotingPeriod = (
  genesis: Genesis,
  votingPeriod: { heights: number; milliseconds: number },
): Genesis => withGovernance(genesis, { votingPeriod });

function withBalance(genesis: Genesis, change: number): Genesis {
  const [first, ...rest] = genesis.accounts;
  return { ...genesis, accounts: [{ ...first!, balance: first!.balance + change }, ...rest] };
}

function withOperator(genesis: Genesis, actorId: string, publicKey: string): Genesis {
  return { ...genesis, operators: [...genesis.operators, { actorId, publicKey }] };
}

describe('a genesis document', () => {
  for (const [rule, fault, spoil] of FAULTS) {
    test(rule, () => {
      const spoilt = spoil(devnet());
      assert.match(validateGenesis(spoilt) ?? 'valid', fault);
      assert.throws(() => genesisState(spoilt as Genesis), /the genesis document is not valid/);
    });
  }
  test('of a devnet is valid, and the same options give the same hash', () => {
    assert.equal(validateGenesis(devnet()), null);
    assert.equal(genesisHash(devnet()), genesisHash(devnet()));
    assert.equal(genesisValidatorSet(devnet()).quorum, 1);
  });
  test('may have several operators and validators', () => {
    const [validator] = devnet().validators;
    const genesis = {
      ...withOperator(devnet(), 'olga', testKey('olga').publicKey),
      validators: [
        validator!,
        {
          ...validator!,
          validatorId: 'validator-2',
          consensusPublicKey: testKey('validator 2').publicKey,
        },
      ],
    };
    assert.equal(validateGenesis(genesis), null);
    assert.ok(genesisState(genesis).has('authority/olga'));
    assert.ok(genesisState(genesis).has('validator/validator-2'));
  });
});

describe('the state of a genesis', () => {
  const state = genesisState(devnet());
  const valueOf = (key: string): unknown => JSON.parse(state.get(key) ?? 'null');

  test('holds the whole supply, and each class the sum of its accounts', () => {
    const sums = new Map<string, number>();
    for (const key of state.keys()) {
      if (!key.startsWith('account/')) continue;
      const { accountId, balance } = valueOf(key) as { accountId: string; balance: number };
      assert.equal(key, `account/${accountId}`);
      sums.set(classOf(accountId), (sums.get(classOf(accountId)) ?? 0) + balance);
    }
    for (const name of CLASS_NAMES) {
      assert.equal(valueOf(`supply/${name}`), sums.get(name) ?? 0, name);
    }
    assert.equal(
      [...sums.values()].reduce((sum, part) => sum + part, 0),
      TOTAL_SUPPLY,
    );
  });
  test('gives operators every capability, and reserves their keys', () => {
    assert.deepEqual(valueOf('authority/operator'), {
      actorId: 'operator',
      publicKey: testKey('operator').publicKey,
      publicKeyHash: testKey('operator').publicKeyHash,
      roles: ['OPERATOR'],
      capabilities: [{ action: '*' }],
      active: true,
    });
    assert.deepEqual(valueOf(`key/${testKey('operator').rawHex}`), { actorId: 'operator' });
  });
  test('names the chain, its genesis and its limits', () => {
    assert.deepEqual(valueOf('chain/identity'), {
      chainId: CHAIN_ID,
      epoch: 1,
      genesisHash: genesisHash(devnet()),
      genesisTime: GENESIS_TIME,
      open: false,
    });
    assert.deepEqual(valueOf('policy/limits'), { ...devnet().policy, names: FREE_NAMES });
  });
});

test('every account id belongs to one class', () => {
  for (const name of CLASS_NAMES) {
    assert.equal(classOf(classAccount(name)), name);
    assert.equal(classOf(name), 'circulating', 'an actor may be called like a class');
  }
  assert.equal(classOf('net:faucet/x'), 'circulating');
});

test('a vote may last exactly as long as unbonding', () => {
  const { unbondingDelay } = devnet().policy.operators;
  assert.equal(validateGenesis(withVotingPeriod(devnet(), unbondingDelay)), null);
});
