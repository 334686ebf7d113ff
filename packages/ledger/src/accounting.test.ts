import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountingClass } from './accounting-classes.ts';
import { checkConservation, move } from './accounting.ts';
import { ACTIONS } from './actions/registry.ts';
import type { ActionWriteContext } from './action.ts';
import { StateOverlay } from './state.ts';
import { standardChain } from './testing/refusals/case.ts';

const chain = standardChain().does('alice', 'faucet', { amount: 100 });

/** alice has 100 unet here. */
const overlay = (): StateOverlay => new StateOverlay(chain.ledger);

function setBalance(state: StateOverlay, id: string, change: number): void {
  const account = state.get('account', id)!;
  state.put('account', id, { ...account, balance: account.balance + change });
}

function setClass(state: StateOverlay, name: AccountingClass, change: number): void {
  state.put('supply', name, state.get('supply', name)! + change);
}

describe('conservation fails a block in which', () => {
  for (const [name, fault, spoil] of [
    [
      'an account grew and its class did not',
      /circulating moved by 0, its accounts by 1/,
      (state) => setBalance(state, 'alice', 1),
    ],
    [
      'an account shrank and its class did not',
      /circulating moved by 0, its accounts by -1/,
      (state) => setBalance(state, 'alice', -1),
    ],
    [
      'a class grew and its accounts did not',
      /circulating moved by 1, its accounts by 0/,
      (state) => setClass(state, 'circulating', 1),
    ],
    [
      'NET was minted, with account and class in step',
      /the supply sums to 1000000000000001/,
      (state) => {
        setBalance(state, 'alice', 1);
        setClass(state, 'circulating', 1);
      },
    ],
    [
      'NET was burned, with account and class in step',
      /the supply sums to 999999999999999/,
      (state) => {
        setBalance(state, 'alice', -1);
        setClass(state, 'circulating', -1);
      },
    ],
    [
      'an amount changed its class without the classes',
      /moved by 0/,
      (state) => {
        setBalance(state, 'alice', -1);
        setBalance(state, 'net:treasury', 1);
      },
    ],
    [
      'two classes changed places without accounts',
      /its accounts by 0/,
      (state) => {
        setClass(state, 'escrow', 1);
        setClass(state, 'bonds', -1);
      },
    ],
    [
      'an account with a balance was deleted',
      /circulating moved by 0, its accounts by -100/,
      (state) => state.delete('account', 'alice'),
    ],
    [
      'a balance is negative',
      /account\/alice is negative/,
      (state) => {
        setBalance(state, 'alice', -101);
        setBalance(state, 'bob', 101);
      },
    ],
  ] as readonly (readonly [string, RegExp, (state: StateOverlay) => void])[]) {
    test(name, () => {
      const state = overlay();
      spoil(state);
      assert.throws(() => checkConservation(state), fault);
    });
  }
  test('a faulty rule pays twice: the block is not finished, the chain stays as it was', () => {
    const faucet = ACTIONS.get('faucet')!;
    const original = { ...faucet };
    const pairs = new Map(chain.ledger.pairs());
    faucet.apply = (context: ActionWriteContext, payload, plan) => {
      original.apply(context, payload, plan);
      const account = context.state.get('account', 'alice')!;
      context.state.put('account', 'alice', { ...account, balance: account.balance * 2 });
    };
    try {
      const execution = chain.ledger.open();
      assert.equal(execution.execute(chain.intent('alice', 'faucet', { amount: 1 })).ok, true);
      assert.throws(() => execution.finish(), /the class circulating moved by 1/);
    } finally {
      Object.assign(faucet, original);
    }
    assert.deepEqual(chain.ledger.pairs(), pairs);
  });
});

describe('move', () => {
  test('never overdraws', () => {
    assert.throws(() => move(overlay(), 'alice', 'bob', 101), /would become -1/);
    assert.throws(() => move(overlay(), 'alice', 'bob', Number.NaN), /would become NaN/);
    assert.throws(() => move(overlay(), 'alice', 'bob', 0.5), /would become/);
  });
  test('keeps the classes in step, also to an account that did not exist', () => {
    const state = overlay();
    move(state, 'alice', 'net:escrow', 60);
    move(state, 'net:escrow', 'net:bonds', 20);
    move(state, 'net:bonds', 'bob', 20);
    assert.equal(state.get('supply', 'escrow'), 40);
    assert.equal(state.get('supply', 'bonds'), 0);
    assert.deepEqual(state.get('account', 'net:escrow'), {
      accountId: 'net:escrow',
      balance: 40,
      faucetReceived: 0,
    });
    assert.doesNotThrow(() => checkConservation(state));
  });
  test('from an account to itself changes nothing', () => {
    const state = overlay();
    move(state, 'alice', 'alice', 100);
    checkConservation(state);
    assert.deepEqual(state.get('account', 'alice'), chain.record('account', 'alice'));
    assert.equal(state.get('supply', 'circulating'), chain.record('supply', 'circulating'));
  });
});
