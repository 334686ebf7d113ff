import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genesisHash, TOTAL_SUPPLY, type Genesis } from '@netd/protocol';
import { CLASS_NAMES } from './accounting-classes.ts';
import { forkState } from './fork-state.ts';
import { validateGenesis, genesisState } from './genesis.ts';
import { FORK_ID, forkOf } from './testing/fork.ts';
import { testKey } from './testing/index.ts';
import { CHAIN_ID, OPERATOR, TestChain } from './testing/test-chain.ts';

/** A chain, and the genesis of its fork. */
function forked(): { chain: TestChain; genesis: Genesis } {
  const chain = new TestChain();
  chain.join(['alice', 'bob']);
  return { chain, genesis: forkOf(chain) };
}

describe('the state of a fork', () => {
  const { chain, genesis } = forked();
  const base = { get: (key: string) => chain.ledger.get(key) };
  const state = forkState(genesis, base, ['validator-1']);

  test('is another chain and names the fork point', () => {
    assert.equal(validateGenesis(genesis), null);
    const identity = state.get('chain', 'identity');
    assert.equal(identity?.chainId, FORK_ID);
    assert.equal(identity.laboratory, true);
    assert.deepEqual(identity.fork, genesis.fork);
    assert.equal(identity.genesisHash, genesisHash(genesis));
  });

  test('is certified by a validator of its own, which replaces the old record', () => {
    const { consensusPublicKey } = state.get('validator', 'validator-1') ?? {};
    assert.equal(consensusPublicKey, testKey('another validator').publicKey);
  });

  test('gives the operator the key of the laboratory, and all its authority back', () => {
    const authority = state.get('authority', OPERATOR);
    assert.equal(authority?.publicKey, testKey('another operator').publicKey);
    assert.deepEqual(authority.capabilities, [{ action: '*' }]);
    assert.ok(authority.roles.includes('OPERATOR'));
  });

  test('leaves agents, balances and the supply as they were', () => {
    const changed = [...state.changes().keys()];
    assert.ok(changed.every((key) => !/^(account|agent|supply|counter)\//.test(key)));
    assert.deepEqual(state.get('authority', 'alice'), chain.record('authority', 'alice'));
    const total = CLASS_NAMES.reduce((sum, name) => sum + (state.get('supply', name) ?? 0), 0);
    assert.equal(total, TOTAL_SUPPLY);
  });

  test('is not made of the state of another chain', () => {
    const point = { ...genesis.fork!, genesisHash: '0'.repeat(64) };
    assert.throws(() => forkState({ ...genesis, fork: point }, base, []), /not of the chain/);
    assert.throws(() => genesisState(genesis), /begins with the state of its origin/);
  });
});

describe('the genesis of a fork', () => {
  const { genesis } = forked();
  const fork = genesis.fork!;
  const { laboratory: _, ...ordinary } = genesis;
  const FAULTS: [string, unknown, RegExp][] = [
    ['is that of a laboratory', ordinary, /no laboratory/],
    ['has an id of its own', { ...genesis, fork: { ...fork, chainId: FORK_ID } }, /id of its own/],
    [
      'names no accounts',
      { ...genesis, accounts: [{ accountId: OPERATOR, balance: 1 }] },
      /accounts of its origin/,
    ],
    ['names a block', { ...genesis, fork: { ...fork, blockHash: 'x' } }, /blockHash/],
    [
      'follows no other chain',
      {
        ...genesis,
        epoch: 2,
        migration: { chainId: CHAIN_ID, epoch: 1, genesisHash: fork.genesisHash },
      },
      /follows no other/,
    ],
  ];
  for (const [rule, document, fault] of FAULTS) {
    test(rule, () => assert.match(validateGenesis(document) ?? '', fault));
  }
});
