import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import { opened, orderIn, pass, resultOf, taken } from '../../testing/work.ts';
import { MAX_RELEASES, workStatsOf } from './order.ts';

const ORDER = { orderId: 'o-1' };
const BOND = 500;
const TAKE = { ...ORDER, agentId: 'bob', workerBond: BOND };
const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;
const lastEvents = (chain: TestChain): string[] =>
  (chain.ledger.blocks.at(-1)?.events ?? []).map(({ type }) => type);

function standing(chain: TestChain, agentId: string) {
  const { released, timeouts, unfinishedOrders, disputesLost } = workStatsOf(
    new StateOverlay(chain.ledger),
    agentId,
  );
  return { released, timeouts, unfinishedOrders, disputesLost };
}

describe('an order that its worker gives back', () => {
  test('reopens with the bond returned, and the record blames no worker', () => {
    const chain = opened(standardChain(), { workerBond: BOND });
    const before = balance(chain, 'bob');
    chain.does('bob', 'acceptWork', TAKE).does('bob', 'releaseWork', ORDER);
    const { status, workerId, acceptedAt, returns, releasedBy } = orderIn(chain);
    assert.deepEqual([status, workerId, acceptedAt, returns], ['OPEN', null, null, 0]);
    assert.deepEqual(releasedBy, ['bob']);
    assert.equal(balance(chain, 'bob'), before);
    assert.deepEqual(lastEvents(chain), ['WorkReleased', 'WorkOrderReopened']);
    const blameless = { released: 1, timeouts: 0, unfinishedOrders: 0, disputesLost: 0 };
    assert.deepEqual(standing(chain, 'bob'), blameless);
    refused(chain, chain.intent('bob', 'acceptWork', TAKE), 'WORK_RELEASED');
    chain.does('carol', 'faucet', { amount: BOND });
    chain.does('carol', 'acceptWork', { ...TAKE, agentId: 'carol' });
    chain.does('carol', 'submitWorkResult', resultOf('o-1', { agentId: 'carol' }));
    assert.equal(orderIn(chain).status, 'VERIFYING');
  });
  test('that was meant for it ends with a refund', () => {
    const chain = opened(standardChain(), { agentId: 'bob' });
    const before = balance(chain, 'alice');
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' }).does('bob', 'releaseWork', ORDER);
    const { status, reason, funding, verificationFee } = orderIn(chain);
    assert.deepEqual([status, reason], ['REJECTED', 'RELEASED']);
    assert.equal(balance(chain, 'alice'), before + funding + verificationFee);
    assert.equal(standing(chain, 'bob').unfinishedOrders, 0);
  });
  test('frees its place: no two orders that cannot be done block a new agent', () => {
    const chain = taken(standardChain());
    assert.equal(standing(chain, 'bob').unfinishedOrders, 1);
    chain.does('bob', 'releaseWork', ORDER);
    assert.equal(standing(chain, 'bob').unfinishedOrders, 0);
  });
  test('still may come back by a missed delivery, once', () => {
    const chain = taken(standardChain()).does('bob', 'releaseWork', ORDER);
    const { deliverWithin } = DEVNET_POLICY.work;
    chain.does('carol', 'acceptWork', { ...ORDER, agentId: 'carol' });
    pass(chain, deliverWithin);
    assert.deepEqual([orderIn(chain).status, orderIn(chain).returns], ['OPEN', 1]);
  });
  test('ends after the maximum of releases, so that free names cannot hold money', () => {
    const chain = opened(standardChain());
    const names = Array.from({ length: MAX_RELEASES }, (_, i) => `taker-${i}`);
    chain.join(names, []);
    for (const [i, name] of names.entries()) {
      assert.equal(orderIn(chain).status, 'OPEN', `${i}`);
      chain.does(name, 'acceptWork', { ...ORDER, agentId: name }).does(name, 'releaseWork', ORDER);
    }
    assert.deepEqual([orderIn(chain).status, orderIn(chain).reason], ['REJECTED', 'RELEASED']);
  });
  test('cannot be released by another agent', () => {
    const chain = taken(standardChain());
    for (const actor of ['alice', 'carol', 'vera']) {
      assert.notEqual(verdictOf(chain.act(actor, 'releaseWork', ORDER)), 'accepted', actor);
    }
    assert.equal(orderIn(chain).status, 'ACCEPTED');
  });
});
