import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verificationFeeOf } from '@netd/protocol';
import { FUNDING, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import {
  disputed,
  inReview,
  opened,
  orderIn,
  pass,
  taken,
  verified,
  votes,
} from '../../testing/work.ts';
import { voteWeights } from '../governance/proposals.ts';
import { workStatsOf } from './order.ts';
import type { WorkStatsRecord } from './records.ts';

const { work } = DEVNET_POLICY;
const statsOf = (chain: TestChain, actorId: string): WorkStatsRecord =>
  workStatsOf(new StateOverlay(chain.ledger), actorId);
const counter = (chain: TestChain): number => chain.record('counter', 'substantial-orders') ?? 0;

/** A paid order of alice and bob. */
function paid(members: object): TestChain {
  const chain = standardChain();
  chain.ledger.seed('referral', 'bob', {
    agentId: 'bob',
    referrerAgentId: 'carol',
    status: 'pending',
    registeredAt: { height: 1, index: 0 },
    qualifyingTransitionHash: null,
    qualifyingOrderId: null,
  });
  votes(inReview(chain, { ...members }), 'ACCEPT', 'ACCEPT');
  pass(pass(chain, work.disputeWindow), work.settleWithin);
  assert.equal(orderIn(chain).status, 'PAID');
  return chain;
}

describe('a paid order', () => {
  const least = work.minimumFunding;
  for (const [what, members, counts] of [
    ['of the least funding counts', { funding: least }, true],
    ['of one unet less counts for nothing', { funding: least - 1 }, false],
    ['of a unet counts for nothing', { funding: 1 }, false],
    ['with a fee of nearly nothing counts for nothing', { verificationFeeBps: 1 }, false],
    [
      'with a lower fee rate counts if its fee is that of the least funding',
      { funding: least * 2, verificationFeeBps: work.verificationFeeBps / 2 },
      true,
    ],
  ] as const) {
    test(what, () => {
      const chain = paid(members);
      const { verifiedOrders, earned } = statsOf(chain, 'bob');
      const { funding } = orderIn(chain);
      assert.deepEqual([verifiedOrders, earned], counts ? [1, funding] : [0, 0]);
      const { utilityWeight } = voteWeights(new StateOverlay(chain.ledger), 'bob');
      assert.equal(utilityWeight, Number(counts));
      assert.equal(chain.record('referral', 'bob')?.status, counts ? 'qualified' : 'pending');
      assert.equal(counter(chain), Number(counts));
      // Paid in any case.
      assert.equal(chain.record('work-receipt', 'o-1')?.paid, funding);
      assert.equal(chain.record('counter', 'work-orders-paid'), 1);
    });
  }
  test('that counts has cost its requester at least the fee of the least funding', () => {
    assert.equal(verificationFeeOf(least, work.verificationFeeBps), 200_000);
  });
});

describe('history', () => {
  const requested = (chain: TestChain) => statsOf(chain, 'alice').requested;
  const none = { funded: 0, paid: 0, cancelled: 0, disputed: 0, lost: 0 };
  const resolve = (chain: TestChain, outcome: string): TestChain =>
    chain.does(OPERATOR, 'resolveDispute', { orderId: 'o-1', outcome });

  test('of a requester counts funded, paid and cancelled orders', () => {
    const chain = paid({});
    assert.deepEqual(requested(chain), { ...none, funded: 1, paid: 1 });
    chain.does('alice', 'createWorkOrder', workOrderOf('o-2'));
    chain.does('alice', 'cancelWorkOrder', { orderId: 'o-2' });
    assert.deepEqual(requested(chain), { ...none, funded: 2, paid: 1, cancelled: 1 });
  });
  test('does not blame a requester for an order without a taker', () => {
    const chain = pass(opened(standardChain()), work.acceptWithin);
    assert.deepEqual(requested(chain), { ...none, funded: 1 });
  });
  test('of a worker counts every delivery that it missed, reopened or not', () => {
    const chain = pass(taken(standardChain()), work.deliverWithin);
    assert.equal(statsOf(chain, 'bob').timeouts, 1);
    chain.does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
    pass(chain, work.deliverWithin);
    assert.equal(statsOf(chain, 'bob').timeouts, 2);
  });
  test('of a worker knows nothing of orders that are too small to count', () => {
    const small = { funding: work.minimumFunding - 1 };
    const missed = pass(taken(standardChain(), small), work.deliverWithin);
    assert.equal(orderIn(missed).status, 'OPEN');
    assert.equal(statsOf(missed, 'bob').timeouts, 0);
    const chain = verified(standardChain(), small);
    chain.does('alice', 'openDispute', { orderId: 'o-1', reasonHash: 'f'.repeat(64) });
    assert.equal(statsOf(resolve(chain, 'REJECTED'), 'bob').disputesLost, 0);
  });
  test('blames the worker for an upheld dispute, the requester for a lost one', () => {
    const upheld = resolve(disputed(standardChain()), 'REJECTED');
    assert.equal(statsOf(upheld, 'bob').disputesLost, 1);
    assert.deepEqual(requested(upheld), { ...none, funded: 1, disputed: 1 });
    for (const dismissed of [
      resolve(disputed(standardChain()), 'PAID'),
      pass(disputed(standardChain()), work.resolveWithin),
    ]) {
      assert.equal(statsOf(dismissed, 'bob').disputesLost, 0);
      assert.deepEqual(requested(dismissed), { ...none, funded: 1, paid: 1, disputed: 1, lost: 1 });
    }
  });
  test('does not blame the requester for a dispute that the worker opened', () => {
    const chain = resolve(disputed(standardChain(), 'bob'), 'PAID');
    assert.deepEqual(requested(chain), { ...none, funded: 1, paid: 1 });
  });
  test('of a committee that rejects blames neither party', () => {
    const chain = votes(inReview(standardChain()), 'REJECT', 'REJECT');
    assert.equal(orderIn(chain).reason, 'VERIFICATION_REJECTED');
    const { timeouts, disputesLost } = statsOf(chain, 'bob');
    assert.deepEqual([timeouts, disputesLost], [0, 0]);
  });
});

test('earnings stay an exact integer', () => {
  const chain = standardChain();
  const most = Number.MAX_SAFE_INTEGER;
  chain.ledger.seed('work-stats', 'bob', { ...statsOf(chain, 'bob'), earned: most - FUNDING + 1 });
  pass(pass(verified(chain), work.disputeWindow), work.settleWithin);
  assert.equal(statsOf(chain, 'bob').earned, most);
});
