import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MILLISECONDS_PER_DAY, UNET_PER_NET } from '@netd/protocol';
import { accepted, refused, verdictOf, workOrderOf } from '../../testing/index.ts';
import { faucetPolicy, standardChain } from '../../testing/refusals/case.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import { seedVerifiedOrders } from '../../testing/work.ts';

const NET = UNET_PER_NET;

const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;

test('an amount is a positive safe integer, never coerced', () => {
  const chain = standardChain();
  for (const amount of [0, -1, 1.5, '1', [1], null, true, Number.MAX_SAFE_INTEGER + 1]) {
    for (const [action, payload] of [
      ['faucet', { amount }],
      ['transfer', { to: 'bob', amount }],
    ] as const) {
      refused(chain, chain.intent('alice', action, payload), 'PAYLOAD_INVALID');
    }
  }
});

describe('faucet', () => {
  const ask = (chain: TestChain, amount: number, actorId = 'alice'): string =>
    verdictOf(chain.act(actorId, 'faucet', { amount }));

  test('pays up to 1,000 NET a request and 10,000 NET an account', () => {
    const chain = standardChain();
    seedVerifiedOrders(chain, 'alice', 9);
    assert.equal(ask(chain, 1_000 * NET + 1), 'FAUCET_REQUEST_LIMIT');
    for (let i = 0; i < 9; i++) assert.equal(ask(chain, 1_000 * NET), 'accepted');
    assert.equal(ask(chain, 1_000 * NET - 1), 'accepted');
    assert.equal(ask(chain, 2), 'FAUCET_ACCOUNT_LIMIT');
    assert.equal(ask(chain, 1), 'accepted');
    assert.equal(ask(chain, 1), 'FAUCET_ACCOUNT_LIMIT');
    assert.equal(balance(chain, 'alice'), 10_000 * NET);
    assert.equal(ask(chain, 1, 'bob'), 'accepted');
  });
  test('gives an account more with every order that it was paid for', () => {
    const chain = standardChain();
    assert.equal(ask(chain, 1_000 * NET), 'accepted');
    const refusal = chain.act('alice', 'faucet', { amount: 1 });
    assert.ok(!refusal.ok);
    assert.equal(
      refusal.refusal.data.message,
      '0 unet are left for this account; each order it is paid for adds 1000000000, up to 10000000000',
    );
    seedVerifiedOrders(chain, 'alice', 2);
    assert.equal(ask(chain, 1_000 * NET), 'accepted');
    assert.equal(ask(chain, 1_000 * NET), 'accepted');
    assert.equal(ask(chain, 1), 'FAUCET_ACCOUNT_LIMIT');
  });
  test('leaves nine tenths of the day to others when a hundred new names draw all they can', () => {
    const chain = standardChain();
    const names = Array.from({ length: 100 }, (_, i) => `crowd-${i + 100}`);
    chain.join(names, ['faucet']);
    for (let round = 0; round < 2; round++) {
      chain.block(names.map((name) => chain.intent(name, 'faucet', { amount: 1_000 * NET })));
    }
    assert.equal(chain.record('faucet-day', 'today')?.paid, 100_000 * NET);
    assert.equal(chain.record('policy', 'limits')?.faucet.perDay, 1_000_000 * NET);
    assert.equal(ask(chain, 1_000 * NET), 'accepted');
  });
  test('keeps a part of the day for new accounts, and says how much is left until when', () => {
    const chain = standardChain(faucetPolicy({ perDay: 100, keptForFirst: 60 }));
    assert.equal(ask(chain, 10), 'accepted');
    assert.equal(ask(chain, 40), 'accepted');
    const refusal = chain.act('alice', 'faucet', { amount: 1 });
    assert.ok(!refusal.ok);
    assert.equal(
      refusal.refusal.data.message,
      '0 unet are left for accounts that have drawn before until 2026-01-02T00:00:00.000Z',
    );
    assert.equal(ask(chain, 50, 'bob'), 'accepted');
    assert.equal(ask(chain, 1, 'carol'), 'FAUCET_DAILY_LIMIT');
  });
  test('pays its daily share again from midnight UTC of header time', () => {
    const chain = standardChain(faucetPolicy({ perDay: 100 }));
    const untilMidnight = (): number =>
      MILLISECONDS_PER_DAY - (chain.ledger.tip.time % MILLISECONDS_PER_DAY);
    assert.equal(ask(chain, 100), 'accepted');
    assert.equal(ask(chain, 1, 'bob'), 'FAUCET_DAILY_LIMIT');
    chain.ledger.advance(1, untilMidnight() - 101);
    assert.equal(ask(chain, 1, 'bob'), 'FAUCET_DAILY_LIMIT', 'in the last millisecond');
    assert.equal(ask(chain, 100, 'bob'), 'accepted', 'after midnight');
    assert.equal(ask(chain, 1, 'carol'), 'FAUCET_DAILY_LIMIT');
  });
  test('pays from its own account and remembers the sum', () => {
    const chain = standardChain();
    const before = balance(chain, 'net:faucet');
    assert.deepEqual(accepted(chain.act('alice', 'faucet', { amount: 7 })), [
      { type: 'FaucetPaid', data: { actorId: 'alice', amount: 7 } },
    ]);
    assert.equal(balance(chain, 'net:faucet'), before - 7);
    assert.deepEqual(chain.record('account', 'alice'), {
      accountId: 'alice',
      balance: 7,
      faucetReceived: 7,
    });
    assert.equal(chain.record('supply', 'faucet'), before - 7);
    const day = Math.floor(chain.ledger.tip.time / MILLISECONDS_PER_DAY);
    assert.deepEqual(chain.record('faucet-day', 'today'), { day, paid: 7, paidAgain: 0 });
  });
  test('limits add up within one block', () => {
    const chain = standardChain(faucetPolicy({ perAccount: 10, perDay: 15 }));
    const outcomes = chain.block([
      chain.intent('alice', 'faucet', { amount: 10 }),
      chain.intent('alice', 'faucet', { amount: 1 }),
      chain.intent('bob', 'faucet', { amount: 6 }),
      chain.intent('bob', 'faucet', { amount: 5 }),
    ]);
    assert.deepEqual(outcomes.map(verdictOf), [
      'accepted',
      'FAUCET_ACCOUNT_LIMIT',
      'FAUCET_DAILY_LIMIT',
      'accepted',
    ]);
  });
  test('pays its last unet', () => {
    const chain = standardChain();
    const { balance: left, ...account } = chain.record('account', 'net:faucet')!;
    chain.ledger.seed('account', 'net:faucet', { ...account, balance: 5 });
    chain.ledger.seed('supply', 'faucet', 5);
    chain.ledger.seed('supply', 'treasury', chain.record('supply', 'treasury')! + left - 5);
    assert.equal(ask(chain, 6), 'FAUCET_EMPTY');
    assert.equal(ask(chain, 5), 'accepted');
    assert.equal(ask(chain, 1), 'FAUCET_EMPTY');
  });
});

describe('transfer', () => {
  test('moves exactly the amount, the whole balance included', () => {
    const chain = standardChain();
    chain.does('alice', 'faucet', { amount: 10 });
    const payload = { to: 'bob', amount: 4, memo: 'thanks' };
    assert.deepEqual(accepted(chain.act('alice', 'transfer', payload)), [
      {
        type: 'Transferred',
        data: { fromActorId: 'alice', toActorId: 'bob', amount: 4, memo: 'thanks' },
      },
    ]);
    assert.deepEqual([balance(chain, 'alice'), balance(chain, 'bob')], [6, 4]);
    chain.does('alice', 'transfer', { to: 'bob', amount: 6 });
    assert.deepEqual([balance(chain, 'alice'), balance(chain, 'bob')], [0, 10]);
    assert.equal(chain.record('supply', 'circulating'), 10 + balance(chain, OPERATOR));
  });
  test('keeps a memo of at most 280 code points', () => {
    const chain = standardChain();
    chain.does('alice', 'faucet', { amount: 10 });
    chain.does('alice', 'transfer', { to: 'bob', amount: 1, memo: '🦊'.repeat(280) });
    const payload = { to: 'bob', amount: 1, memo: '🦊'.repeat(281) };
    refused(chain, chain.intent('alice', 'transfer', payload), 'PAYLOAD_INVALID');
  });
  test('reaches no account of an accounting class', () => {
    const chain = standardChain();
    chain.does('alice', 'faucet', { amount: 10 });
    for (const to of ['net:treasury', 'net:faucet', '__proto__', 'account/bob']) {
      refused(chain, chain.intent('alice', 'transfer', { to, amount: 1 }), 'PAYLOAD_INVALID');
    }
  });
  test('spends money received earlier in the same block, once', () => {
    const chain = standardChain();
    const outcomes = chain.block([
      chain.intent('alice', 'transfer', { to: 'bob', amount: 5 }),
      chain.intent('alice', 'faucet', { amount: 5 }),
      chain.intent('alice', 'transfer', { to: 'bob', amount: 5 }),
      chain.intent('alice', 'transfer', { to: 'carol', amount: 5 }),
      chain.intent('bob', 'transfer', { to: 'carol', amount: 5 }),
    ]);
    assert.deepEqual(outcomes.map(verdictOf), [
      'INSUFFICIENT_BALANCE',
      'accepted',
      'accepted',
      'INSUFFICIENT_BALANCE',
      'accepted',
    ]);
  });
});

test('maxAmount bounds each execution, up to itself', () => {
  const chain = standardChain();
  chain.seedAuthority('alice', { capabilities: [{ action: 'faucet', maxAmount: 100 }] });
  assert.equal(verdictOf(chain.act('alice', 'faucet', { amount: 100 })), 'accepted');
  assert.equal(verdictOf(chain.act('alice', 'faucet', { amount: 100 })), 'accepted');
  assert.equal(
    verdictOf(chain.act('alice', 'faucet', { amount: 101 })),
    'CAPABILITY_AMOUNT_EXCEEDED',
  );
});

test('one of two capabilities is enough', () => {
  const chain = standardChain();
  chain.seedAuthority('alice', {
    capabilities: [
      { action: 'faucet', maxAmount: 1 },
      { action: 'faucet', expiresAtHeight: chain.height + 2 },
    ],
  });
  const ask = (): string => verdictOf(chain.act('alice', 'faucet', { amount: 2 }));
  assert.deepEqual([ask(), ask(), ask()], ['accepted', 'accepted', 'CAPABILITY_AMOUNT_EXCEEDED']);
});

test('a bound on spending names the member that exceeds it', () => {
  const chain = standardChain();
  for (const [action, payload, path] of [
    ['transfer', { to: 'bob', amount: 100 }, '/payload/amount'],
    ['delegate', { validatorId: 'bob', amount: 100 }, '/payload/amount'],
    ['createWorkOrder', workOrderOf('o-1', { funding: 100 }), '/payload/funding'],
  ] as const) {
    chain.seedAuthority('alice', { capabilities: [{ action, maxAmount: 99 }] });
    const outcome = chain.act('alice', action, payload);
    assert.ok(!outcome.ok);
    assert.equal(outcome.refusal.code, 'CAPABILITY_AMOUNT_EXCEEDED');
    assert.equal(outcome.refusal.data.path, path);
  }
});
