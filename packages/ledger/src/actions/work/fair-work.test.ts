/** Attacks on work and juries that version 1 of the rules permits, and version 2 does not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused } from '../../testing/expectations.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import {
  balance,
  committeeOf,
  delivered,
  FEE,
  inReview,
  lapse,
  orderIn,
  pass,
  resultOf,
  VERIFIERS,
  vote,
  votes,
  workNetwork,
} from '../../testing/work.ts';
import { workStatsOf } from './order.ts';
import { DEFAULT_VALIDATION_POLICY } from './validation-policy.ts';

const { work } = DEVNET_POLICY;
const ORDER = { orderId: 'o-1' };
const DISPUTE = { ...ORDER, reasonHash: hashOfDigit('f') };

/** The end, if no party acts any more. */
function ended(chain: TestChain): TestChain {
  for (let steps = 0; orderIn(chain).phase !== 'ENDED'; steps++) {
    assert.ok(steps < 10, `the order is ${orderIn(chain).phase} for ever`);
    lapse(chain);
  }
  assert.equal(balance(chain, 'net:escrow'), 0);
  return chain;
}

const policyOf = (members: JsonObject): JsonObject => ({
  validationPolicy: { ...DEFAULT_VALIDATION_POLICY, ...members },
});
const SEVEN = policyOf({ requiredAccepts: 7, committeeSize: 7 });

/** Verifiers leave the roster, for whatever reason. */
function leave(chain: TestChain, verifierIds: readonly string[]): void {
  const { verifiers = [] } = chain.record('verifier-roster', 'active') ?? {};
  chain.ledger.seed('verifier-roster', 'active', {
    verifiers: verifiers.filter(({ verifierId }) => !verifierIds.includes(verifierId)),
  });
}

describe('a policy that no jury can meet', () => {
  test('gave results for nothing', () => {
    const { chain, gain } = workNetwork(1, ['vera', 'vito', 'viki']);
    ended(delivered(chain, SEVEN));
    assert.deepEqual([orderIn(chain).reason, gain('alice'), gain('bob')], ['UNVERIFIED', 0, 0]);
  });
  test('is refused when the order is created', () => {
    const { chain } = workNetwork(2, ['vera', 'vito', 'viki']);
    refused(
      chain,
      chain.intent('alice', 'createWorkOrder', workOrderOf('o-1', SEVEN)),
      'WORK_JURY_UNAVAILABLE',
    );
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
  });
  test('is refused to the worker if the verifiers have left since', () => {
    const { chain } = workNetwork(2, VERIFIERS);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    leave(chain, VERIFIERS.slice(1));
    refused(
      chain,
      chain.intent('bob', 'acceptWork', { ...ORDER, agentId: 'bob' }),
      'WORK_JURY_UNAVAILABLE',
    );
  });
});

describe('a requester recruited by a verifier', () => {
  const recruited = (version: 1 | 2) => {
    const { chain, gain } = workNetwork(version, ['vera', 'vito']);
    const agent = chain.record('agent', 'alice')!;
    chain.ledger.seed('referral', 'alice', {
      agentId: 'alice',
      qualifyingOrderId: null,
      qualifyingTransitionHash: null,
      referrerAgentId: 'vera',
      registeredAt: agent.registeredAt,
      status: 'pending',
    });
    return { chain: delivered(chain), gain };
  };
  test('kept that verifier away from its juries, and paid nothing', () => {
    const { chain, gain } = recruited(1);
    assert.deepEqual(committeeOf(chain), []);
    ended(chain);
    assert.equal(gain('alice'), 0);
  });
  test('keeps no verifier away, because the verifier has not signed it', () => {
    const { chain } = recruited(2);
    assert.deepEqual(committeeOf(chain).toSorted(), ['vera', 'vito']);
  });
});

describe('delivered work', () => {
  const silence: Record<string, (chain: TestChain) => void> = {
    UNVERIFIED: (chain) => pass(pass(chain, work.verifyWithin), work.verifyWithin),
    VERIFICATION_TIMEOUT: (chain) =>
      pass(pass(votes(chain, 'ACCEPT'), work.verifyWithin), work.verifyWithin),
    SCOPE_UNJUDGEABLE: (chain) => votes(chain, 'UNJUDGEABLE', 'UNJUDGEABLE'),
  };
  for (const [reason, fallSilent] of Object.entries(silence)) {
    test(`was refunded after ${reason}`, () => {
      const { chain, gain } = workNetwork(1, VERIFIERS);
      fallSilent(delivered(chain));
      assert.deepEqual([orderIn(chain).status, orderIn(chain).reason], ['REJECTED', reason]);
      assert.equal(gain('bob'), 0);
    });
    test(`waits for its requester after ${reason}, and is paid`, () => {
      const { chain, gain } = workNetwork(2, VERIFIERS);
      fallSilent(delivered(chain, { sealedVotes: false }));
      const { status, phase, unjudged, disputableUntil } = orderIn(chain);
      assert.deepEqual([status, phase, unjudged], ['VERIFYING', 'UNJUDGED', reason]);
      assert.ok(disputableUntil!.height > chain.height);
      refused(chain, chain.intent('bob', 'settleVerifiedWork', ORDER), 'DISPUTE_WINDOW_OPEN');
      refused(chain, chain.intent('bob', 'openDispute', DISPUTE), 'NOT_WORK_PARTY');
      pass(chain, work.verifyWithin);
      refused(chain, chain.intent('alice', 'openDispute', DISPUTE), 'DISPUTE_WINDOW_CLOSED');
      chain.does('bob', 'settleVerifiedWork', ORDER);
      assert.deepEqual([orderIn(chain).status, gain('bob')], ['PAID', FUNDING]);
      // Only a decision earns the fee.
      assert.equal(gain('alice'), -FUNDING - (reason === 'SCOPE_UNJUDGEABLE' ? FEE : 0));
      const { verifiedOrders } = workStatsOf(new StateOverlay(chain.ledger), 'bob');
      assert.equal(verifiedOrders, 0, 'two parties could buy votes without a jury');
    });
  }
  test('whose jury has left is paid too, at once after the window', () => {
    const { chain, gain } = workNetwork(2, VERIFIERS);
    chain
      .does('alice', 'createWorkOrder', workOrderOf('o-1'))
      .does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    leave(chain, VERIFIERS);
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    assert.equal(orderIn(chain).unjudged, 'UNVERIFIED');
    ended(chain);
    assert.deepEqual(
      [orderIn(chain).status, gain('bob'), gain('alice')],
      ['PAID', FUNDING, -FUNDING],
    );
  });
  test('keeps its old end if the order was created under version 1', () => {
    const chain = inReview(standardChain());
    withRules(chain);
    ended(chain);
    assert.deepEqual([orderIn(chain).status, orderIn(chain).reason], ['REJECTED', 'UNVERIFIED']);
  });
});

describe('an order without a jury', () => {
  test('is of version 2', () => {
    const { chain } = workNetwork(1, VERIFIERS);
    refused(
      chain,
      chain.intent('alice', 'createWorkOrder', workOrderOf('o-1', { jury: 'none' })),
      'RULES_NOT_ACTIVE',
    );
  });
  test('locks no fee, needs no verifier, and is paid unless it is contested', () => {
    const { chain, gain } = workNetwork(2, []);
    delivered(chain, { jury: 'none' });
    assert.equal(gain('alice'), -FUNDING);
    assert.deepEqual([orderIn(chain).phase, orderIn(chain).unjudged], ['UNJUDGED', 'NO_JURY']);
    assert.equal(vote(chain, 'vera', 'REJECT').ok, false);
    ended(chain);
    assert.deepEqual([orderIn(chain).status, gain('bob')], ['PAID', FUNDING]);
  });
});
