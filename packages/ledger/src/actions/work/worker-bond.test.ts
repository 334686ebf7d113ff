import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChainEvent } from '@netd/protocol';
import { FUNDING, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { decided, scheduled, withRules } from '../../testing/rules.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import {
  BOND as VERIFIER_BOND,
  opened,
  orderIn,
  pass,
  readyForWork,
  resultOf,
  VERIFIERS,
  votes,
} from '../../testing/work.ts';

const { work } = DEVNET_POLICY;
const BOND = 500;
const ASKING = { workerBond: BOND };
const TAKE = { orderId: 'o-1', agentId: 'bob', workerBond: BOND };

const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;
const bonds = (chain: TestChain): number =>
  balance(chain, 'net:bonds') - VERIFIERS.length * VERIFIER_BOND;
const lastEvents = (chain: TestChain): readonly ChainEvent[] =>
  chain.ledger.blocks.at(-1)?.events ?? [];

describe('an order that asks for a bond of its worker', () => {
  test('locks it with the acceptance and gives it back with the delivery', () => {
    const chain = opened(standardChain(), ASKING);
    const before = balance(chain, 'bob');
    chain.does('bob', 'acceptWork', TAKE);
    assert.equal(balance(chain, 'bob'), before - BOND);
    assert.equal(bonds(chain), BOND);
    chain.does('bob', 'submitWorkResult', resultOf());
    assert.equal(balance(chain, 'bob'), before);
    assert.equal(bonds(chain), 0);
    const told = lastEvents(chain).find(({ type }) => type === 'WorkResultSubmitted');
    assert.equal(told?.data['workerBond'], BOND);
  });
  test('holds it until a delivered order ends, in version 2 of the rules', () => {
    for (const [cast, ends] of [
      [['ACCEPT', 'ACCEPT'], 'PAID'],
      [['REJECT', 'REJECT'], 'REJECTED'],
    ] as const) {
      const chain = opened(withRules(standardChain()), { ...ASKING, sealedVotes: false });
      const before = balance(chain, 'bob');
      chain.does('bob', 'acceptWork', TAKE).does('bob', 'submitWorkResult', resultOf());
      const told = lastEvents(chain).find(({ type }) => type === 'WorkResultSubmitted');
      assert.deepEqual([told?.data['workerBond'], bonds(chain)], [0, BOND]);
      votes(chain.block([]) && chain, ...cast);
      pass(chain, work.disputeWindow);
      if (ends === 'PAID') pass(chain, work.settleWithin);
      assert.equal(orderIn(chain).status, ends);
      const back = lastEvents(chain).find(({ type }) => type === 'WorkerBondReturned');
      assert.deepEqual(back?.data, {
        amount: BOND,
        orderId: 'o-1',
        requesterId: 'alice',
        workerId: 'bob',
      });
      assert.equal(balance(chain, 'bob'), before + (ends === 'PAID' ? FUNDING : 0));
      assert.equal(bonds(chain), 0);
    }
  });
  test('keeps the rule of its creation when version 2 begins', () => {
    const chain = opened(standardChain(), ASKING).does('bob', 'acceptWork', TAKE);
    decided(scheduled(chain)).block([]);
    chain.does('bob', 'submitWorkResult', resultOf());
    assert.equal(bonds(chain), 0);
  });
  test('pays it to the requester, with an event, for each delivery that was missed', () => {
    const chain = opened(standardChain(), ASKING);
    chain.does('carol', 'faucet', { amount: BOND });
    const [alice, bob] = [balance(chain, 'alice'), balance(chain, 'bob')];
    chain.does('bob', 'acceptWork', TAKE);
    pass(chain, work.deliverWithin);
    assert.equal(orderIn(chain).status, 'OPEN');
    assert.deepEqual(lastEvents(chain)[0], {
      type: 'WorkerBondForfeited',
      transitionIndex: 0,
      data: { orderId: 'o-1', requesterId: 'alice', workerId: 'bob', amount: BOND },
    });
    assert.equal(balance(chain, 'bob'), bob - BOND);
    chain.does('carol', 'acceptWork', { ...TAKE, agentId: 'carol' });
    pass(chain, work.deliverWithin);
    assert.equal(orderIn(chain).reason, 'DELIVERY_TIMEOUT');
    // Including the escrow.
    const escrowed = orderIn(chain).funding + orderIn(chain).verificationFee;
    assert.equal(balance(chain, 'alice'), alice + 2 * BOND + escrowed);
    assert.equal(balance(chain, 'carol'), 0);
    assert.equal(bonds(chain), 0);
    assert.equal(chain.record('cumulative-total', 'worker-bonds-forfeited'), 2 * BOND);
  });
  test('cannot be accepted without the bond, with another bond, or without the money', () => {
    const chain = opened(standardChain(), ASKING);
    for (const workerBond of [undefined, BOND - 1, BOND + 1]) {
      const payload = {
        orderId: 'o-1',
        agentId: 'bob',
        ...(workerBond === undefined ? {} : { workerBond }),
      };
      refused(chain, chain.intent('bob', 'acceptWork', payload), 'WORKER_BOND_MISMATCH');
    }
    const poor = chain.intent('carol', 'acceptWork', { ...TAKE, agentId: 'carol' });
    refused(chain, poor, 'INSUFFICIENT_BALANCE');
    chain.does('bob', 'acceptWork', TAKE);
  });
  test('asks for no more than it pays, and leaves time to deliver', () => {
    const chain = readyForWork(standardChain());
    const least = work.minimumBondedDelivery;
    const verdict = (orderId: string, members: object): string =>
      verdictOf(chain.act('alice', 'createWorkOrder', workOrderOf(orderId, { ...members })));
    const short = (change: object) => ({ ...ASKING, deliverWithin: { ...least, ...change } });
    assert.equal(verdict('o-1', { workerBond: FUNDING }), 'accepted');
    assert.equal(verdict('o-2', { workerBond: FUNDING + 1 }), 'WORKER_BOND_INVALID');
    assert.equal(verdict('o-2', short({})), 'accepted');
    assert.equal(verdict('o-3', short({ heights: least.heights - 1 })), 'WORKER_BOND_INVALID');
    const { milliseconds } = least;
    assert.equal(verdict('o-3', short({ milliseconds: milliseconds - 1 })), 'WORKER_BOND_INVALID');
    assert.equal(verdict('o-3', { workerBond: 0 }), 'PAYLOAD_INVALID');
    assert.equal(verdict('o-3', { deliverWithin: work.minimumSpans.deliver }), 'accepted');
  });
  test('counts against the bound of a capability', () => {
    const chain = opened(standardChain(), ASKING);
    const capabilities = [{ action: 'acceptWork', maxAmount: BOND - 1 }];
    chain.seedAuthority('bob', { roles: ['HUMAN'], capabilities });
    const outcome = chain.act('bob', 'acceptWork', TAKE);
    assert.ok(!outcome.ok);
    assert.equal(outcome.refusal.code, 'CAPABILITY_AMOUNT_EXCEEDED');
    assert.equal(outcome.refusal.data.path, '/payload/workerBond');
  });
});
