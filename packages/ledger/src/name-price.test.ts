import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FREE_NAMES,
  UNET_PER_NET,
  zeroBits,
  type JsonObject,
  type NamesPolicy,
} from '@netd/protocol';
import { testKey, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from './genesis.ts';
import type { Submission } from './block-execution.ts';
import { accepted, verdictOf } from './testing/index.ts';
import { withRules } from './testing/rules.ts';
import { OPERATOR, TestChain } from './testing/test-chain.ts';
import { seedMoney } from './testing/work.ts';
import { StateOverlay } from './state.ts';
import { MAX_UNPAID_OPEN_ORDERS, workStatsOf } from './actions/work/order.ts';

const BITS = 6;
const PRICE = { names: { price: 'work', workBits: BITS } } as const;

const priced = (): TestChain =>
  new TestChain({ policy: PRICE, genesis: (genesis) => ({ ...genesis, rules: 2 }) });

let tries = 0;

/** @param enough false for a registration without the work */
const registration = (chain: TestChain, actorId: string, enough = true): Submission =>
  worked((nonce) => chain.registration(actorId, { nonce }), enough);

function worked(make: (nonce: string) => Submission, enough: boolean): Submission {
  for (let tried = 0; ; tried++) {
    tries++;
    const made = make(`n-${tried}`);
    if (zeroBits(made.encoded.signedBytes) >= BITS === enough) return made;
  }
}

test('a name costs a proof of work over the signed bytes, unless an operator holds it', () => {
  const chain = priced();
  const { ok, ...lazy } = chain.submit(registration(chain, 'ada', false));
  assert.ok(!ok && 'refusal' in lazy);
  assert.match(lazy.refusal.data.message ?? '', /begins with [0-5] zero bits, and a name costs 6/);
  accepted(chain.submit(registration(chain, 'ada')));
  assert.equal(chain.record('agent', 'ada')?.workBits, BITS);
  const { publicKeyHash } = testKey('hugo');
  chain.does(OPERATOR, 'reserveName', { actorId: 'hugo', publicKeyHash });
  accepted(chain.submit(registration(chain, 'hugo', false)));
  assert.equal(chain.record('agent', 'hugo')?.workBits, 0);
  chain.does('hugo', 'extendAgentCapabilities', { agentId: 'hugo', actions: ['faucet'] });
  for (const actorId of ['hugo', OPERATOR]) chain.does(actorId, 'faucet', { amount: 1 });
});

test('the work of a pending registration buys no name for another key', () => {
  const chain = priced();
  const { nonce } = registration(chain, 'ada').envelope as { nonce: string };
  const stolen = chain.registration('ada', { nonce, key: testKey('mallory') });
  assert.equal(verdictOf(chain.submit(stolen)), 'NAME_WORK_MISSING');
});

test('a day of the faucet is emptied by free names, and by none without the work if names have a price', () => {
  const faucet = { ...DEVNET_POLICY.faucet, perDay: 10 * UNET_PER_NET, perNewcomer: UNET_PER_NET };
  const sybils = Array.from({ length: 11 }, (_, i) => `sybil-${i}`);
  const take = (names: NamesPolicy | null, enough: boolean): number => {
    const chain = new TestChain({
      policy: { faucet: { ...faucet, keptForFirst: 0 }, ...(names ? { names } : {}) },
      genesis: (genesis) => (names ? { ...genesis, rules: 2 } : genesis),
    });
    for (const name of sybils) {
      if (!chain.submit(registration(chain, name, enough)).ok) continue;
      chain.does(name, 'extendAgentCapabilities', { agentId: name, actions: ['faucet'] });
      chain.act(name, 'faucet', { amount: UNET_PER_NET });
    }
    return chain.record('faucet-day', 'today')?.paid ?? 0;
  };
  assert.equal(take(null, false), faucet.perDay, 'version 1');
  assert.equal(take(FREE_NAMES, false), faucet.perDay, 'still, unless the network wants a price');
  assert.equal(take(PRICE.names, false), 0);
  const before = tries;
  assert.equal(take(PRICE.names, true), faucet.perDay);
  assert.ok(tries - before > sybils.length * 2 ** (BITS - 1), `${tries - before} tries`);
});

test('free names leave no trace of a price', () => {
  const chain = new TestChain({ genesis: (genesis) => ({ ...genesis, rules: 2 }) }).join(['ada']);
  assert.ok(!('workBits' in chain.record('agent', 'ada')!));
});

test('names from before the price draw nothing first, and have few open orders', () => {
  const chain = withRules(new TestChain()).join(['old'], ['faucet', 'createWorkOrder']);
  chain.ledger.seed('policy', 'limits', { ...chain.record('policy', 'limits')!, ...PRICE });
  accepted(chain.submit(registration(chain, 'new')));
  chain.does('new', 'extendAgentCapabilities', { agentId: 'new', actions: ['faucet'] });
  chain.does('new', 'faucet', { amount: 1 });
  const refusal = chain.act('old', 'faucet', { amount: 1 });
  assert.ok(!refusal.ok);
  assert.match(refusal.refusal.data.message ?? '', /^0 unet .* did not pay for its name/);
  seedMoney(chain, 'old', 1_000 * UNET_PER_NET);
  const offered = (i: number): string =>
    verdictOf(chain.act('old', 'createWorkOrder', workOrderOf(`o-${i}`, { jury: 'none' })));
  for (let i = 0; i < MAX_UNPAID_OPEN_ORDERS; i++) assert.equal(offered(i), 'accepted');
  assert.equal(offered(99), 'WORK_ORDER_LIMIT');
});

test('an application for a new name costs the same, unless an operator approves it', () => {
  const chain = priced();
  const capabilities = [{ action: 'faucet', maxAmount: 1_000 }];
  const applied = (enough: boolean): string =>
    verdictOf(
      chain.submit(
        worked((nonce) => chain.application('hugo', 'HUMAN', { capabilities, nonce }), enough),
      ),
    );
  assert.equal(applied(false), 'NAME_WORK_MISSING');
  assert.equal(applied(true), 'accepted');
  const invitationId = chain.record('application', 'app-hugo-HUMAN')?.invitationId ?? '';
  accepted(chain.submit(chain.claim('hugo', invitationId)));
  chain.does('hugo', 'faucet', { amount: 1 });
  const approved = chain.invited('ada', 'GOVERNOR');
  accepted(chain.submit(chain.claim('ada', approved)));
  assert.equal(chain.record('name', 'ada')?.workBits, 0);
});

describe('a deposit for a name', () => {
  const DEPOSIT = 20 * UNET_PER_NET;
  const keyOf = (actorId: string): JsonObject => ({
    actorId,
    publicKeyHash: testKey(actorId).publicKeyHash,
  });
  /** rita, whose name an operator holds, has money and sponsors. */
  const sponsored = (): TestChain => {
    const names = { price: 'deposit', workBits: BITS, deposit: DEPOSIT } as const;
    const chain = new TestChain({
      policy: { names },
      genesis: (genesis) => ({ ...genesis, rules: 2 }),
    });
    chain.does(OPERATOR, 'reserveName', keyOf('rita'));
    chain.join(['rita'], ['sponsorName', 'withdrawNameDeposit']).fund('rita', 2 * DEPOSIT);
    return chain.does('rita', 'sponsorName', { ...keyOf('ada'), deposit: DEPOSIT });
  };
  const balanceOf = (chain: TestChain): number => chain.record('account', 'rita')?.balance ?? 0;
  const withdrawal = (chain: TestChain, actorId = 'ada'): string =>
    verdictOf(chain.act('rita', 'withdrawNameDeposit', { actorId }));
  const seedEarned = (chain: TestChain, earned: number): void => {
    const stats = workStatsOf(new StateOverlay(chain.ledger), 'ada');
    chain.ledger.seed('work-stats', 'ada', { ...stats, earned });
  };

  test('lets one key register, and no other name', () => {
    const chain = sponsored();
    assert.equal(balanceOf(chain), DEPOSIT);
    assert.equal(verdictOf(chain.register('bob')), 'NAME_DEPOSIT_MISSING');
    const other = chain.registration('ada', { key: testKey('mallory') });
    assert.equal(verdictOf(chain.submit(other)), 'NAME_RESERVED');
    accepted(chain.register('ada'));
    assert.equal(chain.record('agent', 'ada')?.workBits, 0);
  });
  test('comes back before the first draw, and the name counts as unpaid', () => {
    const chain = sponsored().join(['ada'], ['faucet']);
    assert.equal(withdrawal(chain), 'accepted');
    assert.equal(balanceOf(chain), 2 * DEPOSIT);
    assert.equal(verdictOf(chain.act('ada', 'faucet', { amount: 1 })), 'FAUCET_ACCOUNT_LIMIT');
    assert.equal(withdrawal(chain), 'NAME_DEPOSIT_UNKNOWN');
  });
  test('stays after a draw until the agent has earned as much, and the name stays paid', () => {
    const chain = sponsored().join(['ada'], ['faucet']).does('ada', 'faucet', { amount: 1 });
    seedEarned(chain, DEPOSIT - 1);
    assert.equal(withdrawal(chain), 'NAME_DEPOSIT_USED');
    seedEarned(chain, DEPOSIT);
    assert.equal(withdrawal(chain), 'accepted');
    chain.does('ada', 'faucet', { amount: 1 });
  });
  test('is bound to the holder of the name, however the name was spelled', () => {
    const chain = sponsored();
    chain.does('rita', 'sponsorName', { ...keyOf('ma-x'), deposit: DEPOSIT });
    accepted(chain.register('max', { key: testKey('ma-x') }));
    chain.keys.set('max', testKey('ma-x'));
    chain.does('max', 'extendAgentCapabilities', { agentId: 'max', actions: ['faucet'] });
    chain.does('max', 'faucet', { amount: 1 });
    assert.equal(withdrawal(chain, 'ma-x'), 'NAME_DEPOSIT_USED');
  });
  test('is not lost to an operator that reserves the name', () => {
    const chain = sponsored();
    assert.equal(verdictOf(chain.act(OPERATOR, 'reserveName', keyOf('ada'))), 'NAME_RESERVED');
    assert.equal(withdrawal(chain), 'accepted');
    chain.does(OPERATOR, 'reserveName', keyOf('ada'));
  });
  test('goes to the payout account of a revoked sponsor, through an operator', () => {
    const chain = sponsored().does(OPERATOR, 'reserveName', keyOf('ruth')).join(['ruth']);
    const returned = () => chain.act(OPERATOR, 'withdrawNameDeposit', { actorId: 'ada' });
    assert.equal(verdictOf(returned()), 'NAME_DEPOSIT_UNKNOWN', 'rita can take it herself');
    chain.does(OPERATOR, 'revokeAuthority', { actorId: 'rita' });
    chain.ledger.seed('payout', 'rita', { actorId: 'rita', payoutActorId: 'ruth' });
    accepted(returned());
    assert.equal(chain.record('account', 'ruth')?.balance, DEPOSIT);
    assert.equal(chain.record('account', 'net:bonds')?.balance, 0);
  });
  test('lets a person apply', () => {
    const chain = sponsored();
    chain.does('rita', 'sponsorName', { ...keyOf('hugo'), deposit: DEPOSIT });
    accepted(chain.submit(chain.claim('hugo', chain.invited('hugo', 'HUMAN'))));
    assert.equal(chain.record('name', 'hugo')?.workBits, 0);
    assert.equal(withdrawal(chain, 'hugo'), 'accepted');
    assert.equal(chain.record('name', 'hugo')?.workBits, undefined);
  });
});
