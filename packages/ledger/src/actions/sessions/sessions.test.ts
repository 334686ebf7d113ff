import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { testKey, workOrderOf } from '@netd/protocol/testing';
import { accepted, refused, verdictOf } from '../../testing/expectations.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { onRequest, ripeRecovery } from '../../testing/refusals/keys.ts';
import { bySession, granted, grantOf, sessionKeyOf } from '../../testing/sessions.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';

const ready = (members = {}): TestChain =>
  granted(
    standardChain().does('alice', 'faucet', { amount: 100_000_000 }),
    'alice',
    's-1',
    members,
  );
const pay = (chain: TestChain, amount: number, sessionId = 's-1') =>
  bySession(chain, ['alice', sessionId], 'transfer', { to: 'bob', amount });
const balance = (chain: TestChain): number => chain.record('account', 'alice')?.balance ?? 0;
const ends = (chain: TestChain): unknown[] =>
  (chain.ledger.blocks.at(-1)?.events ?? [])
    .filter(({ type }) => type === 'SessionEnded')
    .map(({ data }) => data);
const ended = (reason: string, spent = 0, sessionId = 's-1') => ({
  agentId: 'alice',
  sessionId,
  reason,
  spent,
});

test('a session acts for its agent with its own key, and counts its spending', () => {
  const chain = ready({ label: 'laptop' });
  accepted(chain.submit(pay(chain, 60)));
  accepted(chain.submit(pay(chain, 40)));
  assert.equal(verdictOf(chain.submit(pay(chain, 1))), 'SESSION_BUDGET_EXCEEDED');
  const { spent, label, actions } = chain.record('session', 'alice/s-1')!;
  assert.deepEqual(
    { spent, label, actions },
    { spent: 100, label: 'laptop', actions: ['transfer'] },
  );
  chain.does('alice', 'transfer', { to: 'bob', amount: 7 });
  assert.equal(chain.record('session', 'alice/s-1')?.spent, 100, 'the own key spends no budget');
});

test('money that comes back does not fill the budget again', () => {
  const chain = ready({ actions: ['transfer'], budget: 100 });
  accepted(chain.submit(pay(chain, 100)));
  chain.does('bob', 'transfer', { to: 'alice', amount: 100 });
  assert.equal(verdictOf(chain.submit(pay(chain, 1))), 'SESSION_BUDGET_EXCEEDED');
});

test('funding and fee of an order count, faucet payments do not', () => {
  const chain = standardChain().does('alice', 'faucet', { amount: 100_000_000 });
  const actions = ['createWorkOrder', 'faucet'];
  chain.does('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['createWorkOrder'],
  });
  granted(chain, 'alice', 's-1', { actions, budget: 50_000_000 });
  const before = balance(chain);
  accepted(chain.submit(bySession(chain, ['alice', 's-1'], 'createWorkOrder', workOrderOf('o-1'))));
  const left = before - balance(chain);
  assert.ok(left > 0);
  assert.equal(chain.record('session', 'alice/s-1')?.spent, left);
  accepted(chain.submit(bySession(chain, ['alice', 's-1'], 'faucet', { amount: 5 })));
  assert.equal(chain.record('session', 'alice/s-1')?.spent, left);
});

test('a session cannot get actions about keys, recovery, sessions and capabilities', () => {
  const chain = standardChain();
  for (const action of [
    'grantSession',
    'revokeSession',
    'rotateAgentKey',
    'setAgentRecovery',
    'requestAgentRecovery',
    'approveAgentRecovery',
    'executeAgentRecovery',
    'cancelAgentRecovery',
    'extendAgentCapabilities',
  ]) {
    refused(
      chain,
      grantOf(chain, 'alice', 's-1', { members: { actions: [action] } }),
      'PAYLOAD_INVALID',
    );
  }
});

describe('a session ends, with an event,', () => {
  test('after its last height', () => {
    const chain = ready();
    accepted(chain.submit(pay(chain, 30)));
    const last = chain.record('session', 'alice/s-1')?.expiresAtHeight ?? 0;
    chain.ledger.advance(last - chain.height);
    chain.block([]);
    assert.deepEqual(ends(chain), [ended('EXPIRED', 30)]);
    refused(chain, pay(chain, 1), 'SESSION_UNKNOWN');
    assert.equal(chain.record('session-roster', 'alice'), undefined);
  });
  test('when its agent or it itself revokes it', () => {
    for (const by of ['agent', 'session']) {
      const chain = ready();
      const payload = { agentId: 'alice', sessionId: 's-1' };
      accepted(
        chain.submit(
          by === 'agent'
            ? chain.intent('alice', 'revokeSession', payload)
            : bySession(chain, ['alice', 's-1'], 'revokeSession', payload),
        ),
      );
      assert.deepEqual(ends(chain), [ended('REVOKED')]);
      refused(chain, pay(chain, 1), 'SESSION_UNKNOWN');
      assert.equal(chain.record('timer', 'expireSession/alice/s-1'), undefined);
    }
  });
  test('with the key that granted it, all of them at once', () => {
    const chain = granted(ready(), 'alice', 's-2');
    accepted(chain.submit(chain.rotation('alice', testKey('alice 2'))));
    assert.deepEqual(ends(chain), [ended('KEY_ROTATED'), ended('KEY_ROTATED', 0, 's-2')]);
    refused(chain, pay(chain, 1), 'SESSION_UNKNOWN');
  });
  test('with the key that guardians have replaced', () => {
    const chain = ready();
    const requestId = ripeRecovery(chain);
    accepted(chain.submit(pay(chain, 1)));
    accepted(chain.act('bob', 'executeAgentRecovery', onRequest('bob', requestId)));
    assert.deepEqual(ends(chain), [ended('KEY_RECOVERED', 1)]);
    refused(chain, pay(chain, 1), 'SESSION_UNKNOWN');
    assert.equal(chain.record('session-roster', 'alice'), undefined);
  });
  test('with the authority of its agent', () => {
    const revoked = ready().does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    assert.deepEqual(ends(revoked), [ended('AUTHORITY_ENDED')]);
    const retired = ready().does(OPERATOR, 'setAgentStatus', {
      agentId: 'alice',
      status: 'retired',
    });
    assert.deepEqual(ends(retired), [ended('AUTHORITY_ENDED')]);
  });
});

test('an intent verified under the key of a session that ended meanwhile is refused', () => {
  const chain = ready();
  const verified = { ...pay(chain, 1), verifiedWith: sessionKeyOf('alice', 's-1').publicKey };
  const revocation = chain.intent('alice', 'revokeSession', { agentId: 'alice', sessionId: 's-1' });
  assert.deepEqual(chain.block([revocation, verified]).map(verdictOf), [
    'accepted',
    'SESSION_UNKNOWN',
  ]);
});

test('a session never spends more than its budget, whatever the interleaving', () => {
  const command = fc.record({
    by: fc.constantFrom('s-1', 's-2', 'agent', 'bob'),
    amount: fc.integer({ min: 1, max: 60 }),
    together: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(command, { minLength: 5, maxLength: 40 }), (commands) => {
      const chain = granted(ready({ budget: 100 }), 'alice', 's-2', { budget: 70, maxAmount: 40 });
      chain.does('bob', 'faucet', { amount: 1_000 });
      const spent = new Map([
        ['s-1', 0],
        ['s-2', 0],
      ]);
      let batch: { by: string; amount: number }[] = [];
      const flush = (): void => {
        const outcomes = chain.block(
          batch.map(({ by, amount }) => {
            if (by === 'agent') return chain.intent('alice', 'transfer', { to: 'bob', amount });
            if (by === 'bob') return chain.intent('bob', 'transfer', { to: 'alice', amount });
            return pay(chain, amount, by);
          }),
        );
        for (const [i, { by, amount }] of batch.entries()) {
          if (outcomes[i]?.ok && spent.has(by)) spent.set(by, (spent.get(by) ?? 0) + amount);
        }
        batch = [];
      };
      for (const { together, ...one } of commands) {
        batch.push(one);
        if (!together) flush();
      }
      flush();
      for (const [sessionId, sum] of spent) {
        const session = chain.record('session', `alice/${sessionId}`)!;
        assert.equal(session.spent, sum);
        assert.ok(sum <= session.budget);
      }
    }),
    { numRuns: 20 },
  );
});
