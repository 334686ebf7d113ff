import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalize } from '@netd/protocol';
import { COLLECTIONS, parseStateKey } from './collections.ts';
import type { SpentNonce } from './chain-records.ts';
import { queueEntry, StateOverlay, type StateReader } from './state.ts';

const empty: StateReader = {
  get: () => undefined,
  due: () => [],
  spentNonceExpiry: () => undefined,
};

const spent = (...expiries: number[]): SpentNonce[] =>
  expiries.map((expiry, i) => ({ hash: `${i}`.padStart(64, '0'), expiry }));

describe('state keys', () => {
  test('are a known collection, a slash and an id', () => {
    for (const key of ['', '/', '/alice', 'agent', 'agents/alice', '__proto__/x', 'toString/x']) {
      assert.equal(parseStateKey(key), null, key);
    }
    assert.deepEqual(parseStateKey('agent/alice'), { collection: 'agent', id: 'alice' });
    assert.deepEqual(parseStateKey('account/a/b'), { collection: 'account', id: 'a/b' });
  });
  test('never belong to two collections', () => {
    for (const name of Object.keys(COLLECTIONS)) assert.doesNotMatch(name, /\//);
  });
});

describe('an overlay', () => {
  test('does not change its base', () => {
    const base = new StateOverlay(empty);
    base.put('counter', 'agents', 1);
    const upper = new StateOverlay(base);
    upper.put('counter', 'agents', 2);
    upper.delete('counter', 'referrals');
    assert.equal(base.get('counter', 'agents'), 1);
    assert.equal(upper.get('counter', 'agents'), 2);
    assert.equal(upper.get('counter', 'referrals'), undefined);
  });
  test('reports a pair once, as it ended, whether or not it is another one than before', () => {
    const base = new StateOverlay(empty);
    base.put('counter', 'agents', 1);
    const upper = new StateOverlay(base);
    upper.put('counter', 'agents', 5);
    upper.put('counter', 'agents', 1);
    upper.put('counter', 'referrals', 1);
    upper.delete('counter', 'referrals');
    assert.deepEqual(
      [...upper.changes()],
      [
        ['counter/agents', '1'],
        ['counter/referrals', null],
      ],
    );
  });
  test('reports changes as canonical JSON, deletions as null', () => {
    const base = new StateOverlay(empty);
    base.put('counter', 'agents', 1);
    const upper = new StateOverlay(base);
    upper.delete('counter', 'agents');
    upper.put('chain', 'identity', {
      open: false,
      genesisTime: 't',
      genesisHash: 'h',
      epoch: 1,
      chainId: 'c',
    });
    assert.deepEqual(Object.fromEntries(upper.changes()), {
      'counter/agents': null,
      'chain/identity':
        '{"chainId":"c","epoch":1,"genesisHash":"h","genesisTime":"t","open":false}',
    });
  });
  test('orders due records by height and key, its own and those of the base', () => {
    const base = new StateOverlay(empty);
    base.put('nonce', '5', spent(9));
    base.put('nonce', '6', spent(7));
    base.put('nonce', '7', spent(7, 3));
    base.put('nonce', '8', spent(20));
    const upper = new StateOverlay(base);
    upper.put('nonce', '10', spent(7));
    upper.put('nonce', '6', spent(9));
    upper.delete('nonce', '7');
    assert.deepEqual(base.due('prune:nonce', 10, 10), ['nonce/6', 'nonce/7', 'nonce/5']);
    assert.deepEqual(upper.due('prune:nonce', 10, 10), ['nonce/10', 'nonce/5', 'nonce/6']);
    assert.deepEqual(upper.due('prune:nonce', 10, 2), ['nonce/10', 'nonce/5']);
    assert.deepEqual(upper.due('prune:nonce', 9, 10), ['nonce/10']);
    assert.deepEqual(upper.due('prune:nonce', 7, 10), []);
  });
  test('returns `limit` due records although it overwrote the first ones of the base', () => {
    const base = new StateOverlay(empty);
    for (let i = 10; i < 30; i++) base.put('nonce', String(i), spent(i));
    const upper = new StateOverlay(base);
    for (let i = 10; i < 20; i++) upper.delete('nonce', String(i));
    assert.deepEqual(upper.due('prune:nonce', 100, 3), ['nonce/20', 'nonce/21', 'nonce/22']);
  });
  test('undoes exactly the writes of a function that throws', () => {
    const base = new StateOverlay(empty);
    base.put('nonce', '1', spent(9));
    base.put('nonce', '2', spent(9));
    const state = new StateOverlay(base);
    state.put('counter', 'agents', 1);
    state.put('nonce', '3', spent(5));
    state.put('nonce', '4', spent(5));
    state.spendNonce('kept', 5);
    const seen = () => ({
      changes: [...state.changes()],
      due: state.due('prune:nonce', 100, 10),
      agents: state.get('counter', 'agents'),
      referrals: state.get('counter', 'referrals'),
      first: state.get('nonce', '1'),
      nonces: [...state.spentNonces()],
    });
    const before = seen();
    const fail = (): void => {
      state.put('counter', 'agents', 2);
      state.put('counter', 'agents', 3);
      state.put('counter', 'referrals', 1);
      state.delete('nonce', '1');
      state.put('nonce', '2', spent(3));
      state.put('nonce', '3', spent(2));
      state.delete('nonce', '3');
      state.delete('nonce', '4');
      state.put('nonce', '4', spent(90));
      state.spendNonce('kept', 7);
      state.spendNonce('dropped', 7);
      assert.notDeepEqual(seen(), before);
      throw new Error('half-way');
    };
    for (let times = 0; times < 2; times++) {
      assert.throws(() => state.atomically(fail), /half-way/);
      assert.deepEqual(seen(), before);
    }
    state.atomically(() => {
      state.put('counter', 'agents', 4);
      state.put('counter', 'referrals', 1);
    });
    assert.throws(() => state.atomically(fail), /half-way/);
    assert.deepEqual(
      [...state.changes()],
      [
        ['counter/agents', '4'],
        ['nonce/3', canonicalize(spent(5))],
        ['nonce/4', canonicalize(spent(5))],
        ['counter/referrals', '1'],
      ],
    );
  });
  test('reads on from another base of the same pairs', () => {
    const old = new StateOverlay(empty);
    old.put('counter', 'agents', 1);
    old.spendNonce('n', 5);
    const upper = new StateOverlay(old);
    upper.put('counter', 'referrals', 1);
    assert.equal(upper.spentNonceExpiry('n'), 5);
    const store = new StateOverlay(empty);
    store.put('counter', 'agents', 1);
    upper.rebase(store);
    assert.equal(upper.baseReader(), store);
    assert.equal(upper.get('counter', 'agents'), 1);
    assert.equal(upper.spentNonceExpiry('n'), undefined);
    assert.deepEqual([...upper.changes()], [['counter/referrals', '1']]);
  });
});

test('a nonce leaf waits to be pruned until the height after its last expiry, an agent waits for nothing', () => {
  assert.deepEqual(queueEntry('nonce/5', spent(9, 12, 7)), { queue: 'prune:nonce', at: 13 });
  assert.equal(queueEntry('nonce/5', undefined), null);
  assert.equal(queueEntry('agent/alice', {}), null);
  assert.equal(queueEntry('no key', {}), null);
});
