/** Contests from version 2 of the rules on: bonds, answers, second juries, and the end without a decision. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contestBondOf, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused } from '../../testing/expectations.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import {
  balance,
  committeeOf,
  delivered,
  FEE,
  lapse,
  orderIn,
  pass,
  vote,
  workNetwork,
} from '../../testing/work.ts';
import type { WorkVote } from './records.ts';
import { workStatsOf } from './order.ts';

const { work } = DEVNET_POLICY;
const ORDER = { orderId: 'o-1' };
const BOND = contestBondOf(FUNDING);
/** Twice the fee of a first jury. */
const SECOND_FEE = 2 * FEE;
const NAMES = 'abcdefghijklm'.split('').map((letter) => `verifier-of-${letter}`);
const ACCOUNTS = ['alice', 'bob', 'net:escrow', 'net:bonds', 'net:reward-pool', ...NAMES];

function network(version: 1 | 2 = 2, verifiers: readonly string[] = NAMES) {
  const { chain, gain } = workNetwork(version, verifiers, ACCOUNTS);
  const sum = (): number => ACCOUNTS.reduce((all, id) => all + gain(id), 0);
  return { chain, gain, sum };
}

const contest = (bond = BOND): JsonObject => ({ ...ORDER, reasonHash: hashOfDigit('f'), bond });

function judged(chain: TestChain, verdict: WorkVote['vote']): TestChain {
  for (const verifierId of committeeOf(chain)) {
    if (orderIn(chain).phase !== 'REVIEW') break;
    assert.ok(vote(chain, verifierId, verdict).ok);
  }
  return chain;
}

/** Contested by the side that loses, and with its second jury. */
function contested(chain: TestChain, by: 'alice' | 'bob'): TestChain {
  chain.does(by, 'openDispute', contest());
  chain.block([]);
  return chain;
}

const endOf = (chain: TestChain) => {
  const { status, phase, reason } = orderIn(chain);
  return phase === 'ENDED' ? [status, reason] : phase;
};

describe('a rejected result', () => {
  test('was lost at once in version 1', () => {
    const { chain } = network(1);
    assert.deepEqual(endOf(judged(delivered(chain), 'REJECT')), [
      'REJECTED',
      'VERIFICATION_REJECTED',
    ]);
  });
  test('is refunded if the worker does not contest it', () => {
    const { chain, gain } = network();
    judged(delivered(chain), 'REJECT');
    assert.equal(endOf(chain), 'VOTED_DOWN');
    refused(chain, chain.intent('alice', 'openDispute', contest()), 'NOT_WORK_PARTY');
    assert.deepEqual(endOf(lapse(chain)), ['REJECTED', 'VERIFICATION_REJECTED']);
    assert.deepEqual([gain('alice'), gain('bob')], [-FEE, 0]);
  });
  test('is paid if a second jury accepts it, and the first jury was wrong', () => {
    const { chain, gain, sum } = network();
    contested(judged(delivered(chain), 'REJECT'), 'bob');
    const { verification, firstVerification } = orderIn(chain);
    const first = firstVerification?.committee.map(({ verifierId }) => verifierId) ?? [];
    assert.deepEqual([verification?.round, verification?.committee.length], [3, 7]);
    const voted = firstVerification?.votes.map(({ verifierId }) => verifierId) ?? [];
    assert.equal(first.length, 3);
    assert.ok(
      voted.every((id) => !committeeOf(chain).includes(id)),
      'no member judges twice',
    );
    assert.deepEqual(endOf(judged(chain, 'ACCEPT')), ['PAID', null]);
    assert.deepEqual([gain('alice'), gain('bob'), sum()], [-FUNDING, FUNDING - SECOND_FEE, 0]);
    assert.equal(workStatsOf(new StateOverlay(chain.ledger), 'bob').verifiedOrders, 1);
  });
  test('has an odd second jury, whatever number of verifiers is left', () => {
    const { chain } = network(2, NAMES.slice(0, 9));
    contested(judged(delivered(chain), 'REJECT'), 'bob');
    assert.equal(committeeOf(chain).length, 5, 'six are left by three voters');
  });
  test('costs the worker its bond if a second jury rejects it too', () => {
    const { chain, gain } = network();
    contested(judged(delivered(chain), 'REJECT'), 'bob');
    assert.deepEqual(endOf(judged(chain, 'REJECT')), ['REJECTED', 'VERIFICATION_REJECTED']);
    assert.deepEqual([gain('alice'), gain('bob')], [BOND - SECOND_FEE - FEE, -BOND]);
  });
});

describe('a verdict without a second decision', () => {
  for (const [verdict, by, end] of [
    ['ACCEPT', 'alice', ['PAID', null]],
    ['REJECT', 'bob', ['REJECTED', 'VERIFICATION_REJECTED']],
  ] as const) {
    test(`holds, and the bond goes to the other side (${verdict})`, () => {
      const { chain, gain, sum } = network();
      contested(judged(delivered(chain), verdict), by);
      lapse(chain);
      assert.equal(endOf(chain), 'DISPUTED', 'the second jury is silent: an operator is asked');
      assert.deepEqual(endOf(lapse(chain)), end);
      const other = by === 'alice' ? 'bob' : 'alice';
      const paid = verdict === 'ACCEPT' ? FUNDING : 0;
      const gains = { alice: -paid - FEE, bob: paid };
      gains[by] -= BOND;
      gains[other] += BOND;
      assert.deepEqual({ alice: gain('alice'), bob: gain('bob') }, gains);
      assert.equal(sum(), 0);
    });
  }
  test('goes to an operator at once if no larger jury can be drawn', () => {
    const { chain } = network(2, NAMES.slice(0, 5));
    contested(judged(delivered(chain), 'REJECT'), 'bob');
    assert.equal(endOf(chain), 'DISPUTED');
    chain.does(OPERATOR, 'resolveDispute', { ...ORDER, outcome: 'PAID' });
    assert.deepEqual(endOf(chain), ['PAID', null]);
  });
});

describe('a rejection by a jury of a rare kind', () => {
  const REVIEW = { conditionKinds: ['review'] };
  const rejected = (reviewers: number) => {
    const net = network();
    for (const verifierId of NAMES.slice(0, reviewers)) {
      net.chain.does(verifierId, 'declareConditionKinds', { verifierId, ...REVIEW });
    }
    contested(judged(delivered(net.chain, REVIEW), 'REJECT'), 'bob');
    return net;
  };
  test('is split if no second jury exists, because its requester may have fixed it', () => {
    const { chain, gain, sum } = rejected(3);
    assert.equal(endOf(chain), 'DISPUTED');
    assert.deepEqual(endOf(lapse(chain)), ['REJECTED', 'SPLIT']);
    const half = Math.floor(FUNDING / 2);
    assert.deepEqual([gain('alice'), gain('bob')], [-half - FEE, half - BOND]);
    assert.deepEqual([gain('net:escrow'), gain('net:bonds'), sum()], [0, 0, 0]);
  });
  test('holds if a second jury exists and stays silent', () => {
    const { chain } = rejected(10);
    assert.equal(endOf(chain), 'REVIEW');
    assert.deepEqual(endOf(lapse(lapse(chain))), ['REJECTED', 'VERIFICATION_REJECTED']);
  });
});

describe('a result without a verdict', () => {
  const none = { jury: 'none' };
  test('is refunded if the worker does not answer a contest', () => {
    const { chain, gain, sum } = network();
    delivered(chain, none).does('alice', 'openDispute', contest());
    assert.equal(endOf(chain), 'CONTESTED');
    refused(chain, chain.intent('alice', 'openDispute', contest()), 'NOT_WORK_PARTY');
    assert.deepEqual(endOf(lapse(chain)), ['REJECTED', 'DISPUTE_UPHELD']);
    assert.deepEqual([gain('alice'), gain('bob'), sum()], [0, 0, 0]);
  });
  function answered(chain: TestChain): TestChain {
    delivered(chain, none).does('alice', 'openDispute', contest());
    chain.does('bob', 'openDispute', contest());
    chain.block([]);
    assert.equal(endOf(chain), 'REVIEW');
    return chain;
  }
  test('pays the worker both bonds without the fee if the second jury accepts it', () => {
    const { chain, gain } = network();
    assert.deepEqual(endOf(judged(answered(chain), 'ACCEPT')), ['PAID', null]);
    assert.deepEqual([gain('alice'), gain('bob')], [-FUNDING - BOND, FUNDING + BOND - SECOND_FEE]);
  });
  test('pays the requester both bonds without the fee if the second jury rejects it', () => {
    const { chain, gain } = network();
    assert.deepEqual(endOf(judged(answered(chain), 'REJECT')), ['REJECTED', 'DISPUTE_UPHELD']);
    assert.deepEqual([gain('alice'), gain('bob')], [BOND - SECOND_FEE, -BOND]);
  });
  test('is split without a decision: garbage earns nothing, a false contest saves nothing', () => {
    const { chain, gain, sum } = network();
    judged(answered(chain), 'UNJUDGEABLE');
    assert.equal(endOf(chain), 'DISPUTED');
    assert.deepEqual(endOf(lapse(chain)), ['REJECTED', 'SPLIT']);
    assert.ok(gain('bob') <= 0 && gain('alice') <= -FUNDING, `${gain('bob')}, ${gain('alice')}`);
    assert.deepEqual([gain('net:reward-pool'), sum()], [2 * BOND, 0]);
    const { verifiedOrders, disputesLost } = workStatsOf(new StateOverlay(chain.ledger), 'bob');
    assert.deepEqual([verifiedOrders, disputesLost], [0, 0]);
    assert.equal(chain.record('counter', 'substantial-orders') ?? 0, 0);
  });
  for (const purse of [0, BOND - 1]) {
    const poor = (): ReturnType<typeof network> => {
      const net = network();
      delivered(net.chain, none);
      net.chain.does('bob', 'transfer', { to: 'carol', amount: balance(net.chain, 'bob') - purse });
      net.chain.does('alice', 'openDispute', contest()).does('bob', 'openDispute', contest());
      net.chain.block([]);
      assert.deepEqual([endOf(net.chain), balance(net.chain, 'bob')], ['REVIEW', 0]);
      return net;
    };
    test(`is answered by a worker that holds ${purse} unet with all it has`, () => {
      const good = poor();
      assert.deepEqual(endOf(judged(good.chain, 'ACCEPT')), ['PAID', null]);
      const paid = FUNDING + BOND - SECOND_FEE;
      assert.deepEqual(
        [balance(good.chain, 'bob'), good.gain('alice')],
        [paid + purse, -FUNDING - BOND],
      );
      const bad = poor();
      assert.deepEqual(endOf(judged(bad.chain, 'REJECT')), ['REJECTED', 'DISPUTE_UPHELD']);
      assert.deepEqual([balance(bad.chain, 'bob'), bad.gain('alice')], [0, purse - SECOND_FEE]);
      assert.deepEqual([good.gain('net:bonds'), bad.gain('net:bonds')], [0, 0]);
    });
    test(`is split without a gain for a worker that held ${purse} unet`, () => {
      const { chain, gain } = poor();
      lapse(lapse(chain));
      assert.deepEqual(endOf(chain), ['REJECTED', 'SPLIT']);
      // Half of an odd funding is a unet less than the bond.
      const left = Math.max(0, purse - 1);
      assert.deepEqual([balance(chain, 'bob'), gain('alice')], [left, -FUNDING]);
      assert.deepEqual([gain('net:reward-pool'), gain('net:bonds')], [FUNDING + purse - left, 0]);
      const told = chain.ledger.blocks.at(-1)?.events.find(({ type }) => type === 'WorkOrderSplit');
      const half = Math.floor(FUNDING / 2);
      assert.deepEqual([told?.data['paid'], told?.data['forfeited']], [left, half - left]);
    });
  }
  test('of 1 NET is contested with half a NET', () => {
    const { chain } = network();
    delivered(chain, { ...none, funding: UNET_PER_NET });
    const wrong = chain.intent('alice', 'openDispute', contest(work.disputeBond));
    refused(chain, wrong, 'DISPUTE_BOND_MISMATCH');
    chain.does('alice', 'openDispute', contest(UNET_PER_NET / 2));
    pass(chain, work.verifyWithin);
    assert.deepEqual(endOf(chain), ['REJECTED', 'DISPUTE_UPHELD']);
  });
});

test('a bond may be left out up to the disputeBond of the policy', () => {
  const { bond: _bond, ...unnamed } = contest();
  const { chain } = network();
  delivered(chain, { jury: 'none', funding: 2 * work.disputeBond + 1 });
  refused(chain, chain.intent('alice', 'openDispute', unnamed), 'DISPUTE_BOND_MISMATCH');
  const small = network().chain;
  delivered(small, { jury: 'none' }).does('alice', 'openDispute', unnamed);
  assert.equal(orderIn(small).dispute?.bond, BOND);
});
