/** Contests from version 2 of the rules on: bonds, answers, second juries, and the end if nobody decides. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { contestBondOf, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, runs } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused } from '../../testing/expectations.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import {
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
  test('costs the worker its bond if a second jury rejects it too', () => {
    const { chain, gain } = network();
    contested(judged(delivered(chain), 'REJECT'), 'bob');
    assert.deepEqual(endOf(judged(chain, 'REJECT')), ['REJECTED', 'VERIFICATION_REJECTED']);
    assert.deepEqual([gain('alice'), gain('bob')], [BOND - SECOND_FEE - FEE, -BOND]);
  });
});

describe('a verdict that nobody decides about again', () => {
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
  test('is split if nobody decides: garbage earns nothing, a false contest saves nothing', () => {
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

test('with honest majorities, good work is paid and bad work is not, whatever the rest does', () => {
  const VOTES = ['ACCEPT', 'REJECT', 'UNJUDGEABLE'] as const;
  const plays = fc.record({
    isGood: fc.boolean(),
    jury: fc.constantFrom('none', undefined),
    // The first jury, the second jury and the operator act honestly, falsely or not at all.
    first: fc.constantFrom('honest', 'silent', 'unjudgeable', 'false'),
    second: fc.constantFrom('honest', 'silent', 'unjudgeable'),
    operator: fc.boolean(),
    // The side that is wrong contests or answers all the same.
    isStubborn: fc.boolean(),
    dissent: fc.array(fc.constantFrom(...VOTES), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(plays, ({ isGood, jury, first, second, operator, isStubborn, dissent }) => {
      const { chain, gain, sum } = network();
      const [good, bad] = isGood
        ? (['ACCEPT', 'REJECT'] as const)
        : (['REJECT', 'ACCEPT'] as const);
      const says = { honest: good, false: bad, unjudgeable: 'UNJUDGEABLE', silent: null } as const;
      delivered(chain, jury === undefined ? {} : { jury });
      const wronged = isGood ? 'bob' : 'alice';
      for (let steps = 0; orderIn(chain).phase !== 'ENDED'; steps++) {
        assert.ok(steps < 40, `the order is ${orderIn(chain).phase} for ever`);
        const { phase, verification, requesterId, dispute } = orderIn(chain);
        if (phase === 'REVIEW') {
          const isSecond = verification?.round === 3;
          const verdict = says[isSecond ? second : first];
          // Three of seven, the most that is no majority.
          const others = isSecond ? dissent : [];
          committeeOf(chain).forEach((verifierId, index) => {
            const cast = others[index] ?? verdict;
            if (cast !== null && orderIn(chain).phase === 'REVIEW') vote(chain, verifierId, cast);
          });
          if (orderIn(chain).phase === 'REVIEW') lapse(chain);
        } else if (phase === 'VERIFIED' || phase === 'UNJUDGED') {
          const contests = !isGood || isStubborn;
          if (contests) contested(chain, requesterId as 'alice');
          else lapse(chain);
        } else if (phase === 'VOTED_DOWN') {
          if (isGood || isStubborn) contested(chain, 'bob');
          else lapse(chain);
        } else if (phase === 'CONTESTED') {
          assert.equal(dispute?.openedBy, 'alice');
          if (isGood || isStubborn) contested(chain, 'bob');
          else lapse(chain);
        } else if (phase === 'DISPUTED') {
          const outcome = isGood ? 'PAID' : 'REJECTED';
          if (operator) chain.does(OPERATOR, 'resolveDispute', { ...ORDER, outcome });
          else lapse(chain);
        } else lapse(chain);
      }
      assert.equal(sum(), 0);
      assert.deepEqual([gain('net:escrow'), gain('net:bonds')], [0, 0]);
      const { status, reason, dispute } = orderIn(chain);
      // A false first verdict stands only if neither the second jury nor the operator decides.
      const isDecided = second === 'honest' || operator;
      const isLost = first === 'false' && jury !== 'none' && !isDecided;
      if (reason === 'SPLIT') {
        assert.ok(!isDecided && gain('bob') <= 0 && gain('alice') <= -FUNDING);
      } else if (!isLost) {
        assert.equal(status, isGood ? 'PAID' : 'REJECTED', `${reason} ${dispute?.openedBy}`);
        assert.ok(gain(wronged) >= (isGood ? FUNDING : -FEE) - SECOND_FEE);
        const other = wronged === 'bob' ? 'alice' : 'bob';
        assert.ok(gain(other) <= 0, 'deviating has gained nothing');
      }
    }),
    { numRuns: runs(20) },
  );
});
