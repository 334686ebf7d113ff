import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  hashValue,
  MAX_BLOCK_TRANSITIONS,
  sha256Hex,
  canonicalize,
  TOTAL_SUPPLY,
  type JsonObject,
} from '@netd/protocol';
import { FUNDING, hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { CLASS_NAMES } from '../../accounting-classes.ts';
import type { CounterName } from '../../counter-names.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';
import {
  BOND,
  committeeOf,
  conflictingVotes,
  disputed,
  FEE,
  inReview,
  opened,
  orderIn,
  pass,
  readyForWork,
  resultOf,
  seedVerifier,
  taken,
  verified,
  VERIFIERS,
  vote,
  votes,
} from '../../testing/work.ts';
import { bySession, granted } from '../../testing/sessions.ts';
import { hasDueWork, MAX_SYSTEM_TRANSITIONS } from '../../begin-block.ts';
import { BlockExecution } from '../../block-execution.ts';
import { TIMER_KINDS, TIMER_LIMITS } from '../../timer-queue.ts';
import { MAX_OPEN_ORDERS, MAX_UNFINISHED_ORDERS, workStatsOf } from './order.ts';
import type { WorkVote } from './records.ts';
import { MAX_ROSTER, putVerifier, rosterOf } from '../operators/verifier-roster.ts';
import { DEFAULT_VALIDATION_POLICY } from './validation-policy.ts';

const { work } = DEVNET_POLICY;
const ORDER = { orderId: 'o-1' };

const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;
const counter = (chain: TestChain, name: CounterName): number => chain.record('counter', name) ?? 0;
const counters = (chain: TestChain): number[] =>
  (['open', 'accepted', 'verifying', 'paid', 'rejected'] as const).map((name) =>
    counter(chain, `work-orders-${name}`),
  );

/** Balance changes since `before`. */
function gains(chain: TestChain, before: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(
    [...before]
      .map(([id, amount]) => [id, balance(chain, id) - amount] as const)
      .filter(([, gain]) => gain !== 0),
  );
}
const purses = (chain: TestChain): Map<string, number> =>
  new Map(
    ['alice', 'bob', 'carol', ...VERIFIERS, 'net:escrow', 'net:bonds', 'net:reward-pool'].map(
      (id) => [id, balance(chain, id)],
    ),
  );

/** Timers of the order. */
const timersOf = (chain: TestChain, orderId = 'o-1') =>
  TIMER_KINDS.flatMap((kind) => chain.record('timer', `${kind}/${orderId}`) ?? []);

/** The order must be over, with an empty escrow. */
function assertOver(chain: TestChain, status: 'PAID' | 'REJECTED', reason: string | null): void {
  const order = orderIn(chain);
  assert.deepEqual([order.status, order.phase, order.reason], [status, 'ENDED', reason]);
  assert.equal(order.deadline, null);
  assert.deepEqual(timersOf(chain), []);
  assert.equal(balance(chain, 'net:escrow'), 0);
  assert.equal(balance(chain, 'net:bonds'), VERIFIERS.length * BOND);
  for (const actorId of ['alice', 'bob']) {
    const { openOrders, unfinishedOrders } = workStatsOf(new StateOverlay(chain.ledger), actorId);
    assert.deepEqual([openOrders, unfinishedOrders], [0, 0], actorId);
  }
  assert.deepEqual(counters(chain), status === 'PAID' ? [0, 0, 0, 1, 0] : [0, 0, 0, 0, 1]);
  const total = CLASS_NAMES.reduce((sum, name) => sum + (chain.record('supply', name) ?? 0), 0);
  assert.equal(total, TOTAL_SUPPLY);
}

describe('an order that everybody sees through', () => {
  test('pays the worker its funding and the voters the fee, to the last unit', () => {
    const chain = standardChain();
    const before = purses(readyForWork(chain));
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    assert.deepEqual(gains(chain, before), {
      alice: -FUNDING - FEE,
      'net:escrow': FUNDING + FEE,
    });
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    const [first = '', second = ''] = committeeOf(chain);
    votes(chain, 'ACCEPT', 'ACCEPT');
    chain.ledger.advance(work.disputeWindow.heights, work.disputeWindow.milliseconds);
    const outcome = chain.act('carol', 'settleVerifiedWork', ORDER);
    assert.ok(outcome.ok);
    assert.deepEqual(gains(chain, before), {
      alice: -FUNDING - FEE,
      bob: FUNDING,
      [first]: 100_001,
      [second]: 100_000,
    });
    assertOver(chain, 'PAID', null);
    const transitionHash = chain.ledger.blocks.at(-1)?.transitionHashes[0];
    assert.deepEqual(chain.record('work-receipt', 'o-1'), {
      orderId: 'o-1',
      requesterId: 'alice',
      workerId: 'bob',
      deliverableHash: hashOfDigit('d'),
      paid: FUNDING,
      shares: [
        { verifierId: first, amount: 100_001 },
        { verifierId: second, amount: 100_000 },
      ],
      settledAt: { height: chain.height, index: 0 },
      transitionHash,
    });
    const { verifiedOrders, earned } = workStatsOf(new StateOverlay(chain.ledger), 'bob');
    assert.deepEqual([verifiedOrders, earned], [1, FUNDING]);
    assert.equal(chain.record('verifier', first)?.votesAccepted, 1);
  });
  test('is rejected when the accepts can no longer be reached: funding back, fee to the voters', () => {
    const chain = standardChain();
    const before = purses(readyForWork(chain));
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    const [first = '', second = '', third = ''] = committeeOf(chain);
    votes(chain, 'REJECT');
    assert.equal(orderIn(chain).phase, 'REVIEW', 'two accepts are still possible');
    assert.ok(vote(chain, second, 'ACCEPT').ok);
    assert.ok(vote(chain, third, 'REJECT').ok);
    assertOver(chain, 'REJECTED', 'VERIFICATION_REJECTED');
    assert.deepEqual(gains(chain, before), {
      alice: -FEE,
      [first]: 66_667,
      [second]: 66_667,
      [third]: 66_667,
    });
  });
  test('ends without blame if two thirds of the committee cannot judge its scope: funding back, fee to the voters', () => {
    const chain = standardChain();
    const before = purses(readyForWork(chain));
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1', { workerBond: 5 }));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob', workerBond: 5 });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    const [first = '', second = '', third = ''] = committeeOf(chain);
    votes(chain, 'UNJUDGEABLE', 'ACCEPT');
    assert.equal(orderIn(chain).phase, 'REVIEW');
    assert.ok(vote(chain, third, 'UNJUDGEABLE').ok);
    assertOver(chain, 'REJECTED', 'SCOPE_UNJUDGEABLE');
    assert.deepEqual(gains(chain, before), {
      alice: -FEE,
      [first]: 66_667,
      [second]: 66_667,
      [third]: 66_667,
    });
    const state = new StateOverlay(chain.ledger);
    const { timeouts, disputesLost, unfinishedOrders } = workStatsOf(state, 'bob');
    assert.deepEqual([timeouts, disputesLost, unfinishedOrders], [0, 0, 0]);
    assert.deepEqual(workStatsOf(state, 'alice').requested, {
      cancelled: 0,
      disputed: 0,
      funded: 1,
      lost: 0,
      paid: 0,
    });
    assert.equal(chain.record('verifier', first)?.votesUnjudgeable, 1);
  });
  test('that cannot be accepted any more waits for votes that may still call it unjudgeable', () => {
    const end = (last: 'REJECT' | 'ACCEPT' | 'UNJUDGEABLE') => {
      const chain = votes(inReview(standardChain()), 'REJECT', 'UNJUDGEABLE');
      assert.equal(orderIn(chain).phase, 'REVIEW');
      vote(chain, committeeOf(chain)[2] ?? '', last);
      return orderIn(chain).reason;
    };
    assert.equal(end('UNJUDGEABLE'), 'SCOPE_UNJUDGEABLE');
    assert.equal(end('REJECT'), 'VERIFICATION_REJECTED');
    assert.equal(end('ACCEPT'), 'VERIFICATION_REJECTED');
  });
  test('is verified whatever one of three says of its scope', () => {
    const chain = votes(inReview(standardChain()), 'UNJUDGEABLE', 'ACCEPT', 'ACCEPT');
    assert.equal(orderIn(chain).phase, 'VERIFIED');
  });
  test('without a vote leaves funding, fee, bond and standing as they were', () => {
    const chain = standardChain();
    const before = purses(readyForWork(chain));
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1', { workerBond: 5 }));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob', workerBond: 5 });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    pass(pass(chain, work.verifyWithin), work.verifyWithin);
    assertOver(chain, 'REJECTED', 'UNVERIFIED');
    assert.deepEqual(gains(chain, before), {});
    const { timeouts, disputesLost } = workStatsOf(new StateOverlay(chain.ledger), 'bob');
    assert.deepEqual([timeouts, disputesLost], [0, 0]);
  });
  test('that a part of the committee has judged, and too few, has timed out', () => {
    const chain = votes(inReview(standardChain()), 'REJECT');
    pass(pass(chain, work.verifyWithin), work.verifyWithin);
    assertOver(chain, 'REJECTED', 'VERIFICATION_TIMEOUT');
  });
  test('for a named agent is only for that one, and an agent may order it', () => {
    const chain = opened(standardChain(), { agentId: 'bob' });
    assert.equal(orderIn(chain).assignmentMode, 'TARGETED');
    assert.equal(
      verdictOf(chain.act('bob', 'acceptWork', { ...ORDER, agentId: 'bob' })),
      'accepted',
    );
  });
  test('is cancelled by its requester while it is open, with everything back', () => {
    const chain = readyForWork(standardChain());
    const before = purses(chain);
    chain
      .does('alice', 'createWorkOrder', workOrderOf('o-1'))
      .does('alice', 'cancelWorkOrder', ORDER);
    assertOver(chain, 'REJECTED', 'CANCELLED');
    assert.deepEqual(gains(chain, before), {});
  });
});

describe('if a party falls silent:', () => {
  test('no worker accepts: refund', () => {
    const chain = pass(opened(standardChain()), work.acceptWithin);
    assertOver(chain, 'REJECTED', 'ACCEPTANCE_TIMEOUT');
  });
  test('the worker, on the market: reopened once for any agent, then refund', () => {
    const chain = pass(taken(standardChain()), work.deliverWithin);
    assert.deepEqual([orderIn(chain).status, orderIn(chain).workerId], ['OPEN', null]);
    assert.equal(workStatsOf(new StateOverlay(chain.ledger), 'bob').unfinishedOrders, 0);
    chain.does('carol', 'acceptWork', { ...ORDER, agentId: 'carol' });
    pass(chain, work.deliverWithin);
    assertOver(chain, 'REJECTED', 'DELIVERY_TIMEOUT');
  });
  test('the worker of a targeted order: refund', () => {
    const chain = pass(taken(standardChain(), { agentId: 'bob' }), work.deliverWithin);
    assertOver(chain, 'REJECTED', 'DELIVERY_TIMEOUT');
  });
  test('the whole committee: drawn again once, misses counted, then refund', () => {
    const chain = pass(inReview(standardChain()), work.verifyWithin);
    assert.equal(orderIn(chain).verification?.round, 2);
    const misses = (): number =>
      VERIFIERS.reduce((sum, id) => sum + (chain.record('verifier', id)?.votesMissed ?? 0), 0);
    assert.equal(misses(), 3);
    pass(chain, work.verifyWithin);
    assert.equal(misses(), 6);
    assertOver(chain, 'REJECTED', 'UNVERIFIED');
  });
  test('a part of the committee: voters stay, silent members are replaced', () => {
    const chain = votes(inReview(standardChain()), 'ACCEPT');
    const [voter = '', ...silent] = committeeOf(chain);
    pass(chain, work.verifyWithin);
    const [stays, ...others] = committeeOf(chain);
    assert.equal(stays, voter);
    assert.equal(others.length, 2);
    assert.ok(others.every((id) => !silent.includes(id)));
    refused(
      chain,
      chain.intent(voter, 'voteWork', {
        ...ORDER,
        verifierId: voter,
        vote: 'ACCEPT',
        evidenceHash: hashOfDigit('e'),
      }),
      'VOTE_ALREADY_CAST',
    );
    assert.ok(vote(chain, others[0] ?? '', 'ACCEPT').ok);
    assert.equal(orderIn(chain).phase, 'VERIFIED');
  });
  test('silent members are asked again if there are no others', () => {
    const chain = readyForWork(standardChain(), ['vera', 'vito']);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    votes(chain, 'ACCEPT');
    pass(chain, work.verifyWithin);
    assert.deepEqual(committeeOf(chain).toSorted(), ['vera', 'vito']);
  });
  test('no party settles: the ledger does', () => {
    const chain = verified(standardChain());
    pass(chain, work.disputeWindow);
    assert.equal(orderIn(chain).phase, 'VERIFIED');
    pass(chain, work.settleWithin);
    assertOver(chain, 'PAID', null);
  });
  for (const party of ['alice', 'bob']) {
    test(`the operator, on a dispute of ${party}: the vote stands and the bond follows it`, () => {
      const chain = verified(standardChain());
      const before = purses(chain);
      chain.does(party, 'openDispute', { ...ORDER, reasonHash: hashOfDigit('f') });
      assert.equal(gains(chain, before)['net:bonds'], work.disputeBond);
      pass(chain, work.resolveWithin);
      assertOver(chain, 'PAID', null);
      const gain = party === 'alice' ? work.disputeBond : 0;
      assert.equal(gains(chain, before)['bob'], FUNDING + gain);
      assert.equal(balance(chain, 'alice'), (before.get('alice') ?? 0) - gain);
    });
  }
});

describe('a dispute', () => {
  const resolve = (chain: TestChain, outcome: string): void => {
    chain.does(OPERATOR, 'resolveDispute', { ...ORDER, outcome });
  };
  test('that the operator upholds brings everything back, the bond too', () => {
    const chain = verified(standardChain());
    const before = purses(chain);
    chain.does('alice', 'openDispute', { ...ORDER, reasonHash: hashOfDigit('f') });
    resolve(chain, 'REJECTED');
    assertOver(chain, 'REJECTED', 'DISPUTE_UPHELD');
    assert.deepEqual(gains(chain, before), {
      alice: FUNDING + FEE,
      'net:escrow': -FUNDING - FEE,
    });
  });
  test('that the operator dismisses pays, the bond to the worker', () => {
    const chain = verified(standardChain());
    const before = purses(chain);
    chain.does('alice', 'openDispute', { ...ORDER, reasonHash: hashOfDigit('f') });
    resolve(chain, 'PAID');
    assertOver(chain, 'PAID', null);
    assert.equal(gains(chain, before)['bob'], FUNDING + work.disputeBond);
  });
  test('of the worker, upheld, costs the worker its bond', () => {
    const chain = disputed(standardChain(), 'bob');
    resolve(chain, 'REJECTED');
    assertOver(chain, 'REJECTED', 'DISPUTE_UPHELD');
  });
  test('is open in the last block of its window, and settling from the next', () => {
    const { heights, milliseconds } = work.disputeWindow;
    const chain = verified(standardChain());
    // The action's block adds a height and 100 ms.
    chain.ledger.advance(heights - 2, milliseconds - 200);
    refused(chain, chain.intent('bob', 'settleVerifiedWork', ORDER), 'DISPUTE_WINDOW_OPEN');
    const until = orderIn(chain).disputableUntil;
    assert.deepEqual([chain.height + 1, chain.ledger.tip.time + 100], [until?.height, until?.time]);
    refused(
      chain,
      chain.intent('alice', 'openDispute', { ...ORDER, reasonHash: hashOfDigit('f') }),
      'DISPUTE_WINDOW_CLOSED',
    );
    assert.equal(verdictOf(chain.act('bob', 'settleVerifiedWork', ORDER)), 'accepted');
  });
});

describe('a deadline', () => {
  const kindsOf = (chain: TestChain, milliseconds = 100): string[] =>
    chain.ledger
      .open(chain.ledger.nextContext(milliseconds))
      .systemTransitions.map(({ text }) => (JSON.parse(text) as { kind: string }).kind);

  test('waits for its height after its time, in one extra transition', () => {
    const chain = opened(standardChain());
    const { heights, milliseconds } = work.acceptWithin;
    chain.ledger.advance(1, milliseconds);
    assert.deepEqual(kindsOf(chain), ['awaitHeight']);
    chain.block([]);
    assert.deepEqual(kindsOf(chain), []);
    chain.ledger.advance(heights - 4, 1);
    assert.deepEqual(kindsOf(chain), []);
    chain.ledger.advance(1, 1);
    assert.deepEqual(kindsOf(chain), ['timeOutWorkAcceptance']);
  });
  test('waits for its time after its height', () => {
    const chain = opened(standardChain());
    const { heights, milliseconds } = work.acceptWithin;
    chain.ledger.advance(heights * 2, milliseconds - 101);
    assert.deepEqual(kindsOf(chain), []);
    assert.deepEqual(kindsOf(chain, 101), ['timeOutWorkAcceptance']);
  });
  test('that waits for its height is forgotten with the verdict: the next one waits for its time first', () => {
    const chain = inReview(standardChain());
    chain.ledger.advance(1, work.verifyWithin.milliseconds);
    assert.deepEqual(kindsOf(chain), ['awaitHeight']);
    votes(chain, 'ACCEPT', 'ACCEPT');
    assert.equal(orderIn(chain).phase, 'VERIFIED');
    chain.ledger.advance(work.verifyWithin.heights, 1);
    assert.deepEqual(kindsOf(chain), []);
    const { deadline } = orderIn(chain);
    assert.deepEqual(timersOf(chain), [
      { kind: 'settleWork', subject: 'o-1', deadline, awaits: 'TIME' },
    ]);
  });
  test('of an action in between is forgotten', () => {
    const chain = opened(standardChain());
    chain.ledger.advance(1, work.acceptWithin.milliseconds);
    chain.block([]);
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    pass(chain, { heights: work.acceptWithin.heights, milliseconds: 1 });
    assert.equal(orderIn(chain).status, 'ACCEPTED');
    assert.deepEqual(
      timersOf(chain).map(({ kind }) => kind),
      ['timeOutWorkDelivery'],
    );
  });
});

describe('the committee', () => {
  test('is drawn in the next block by the hash of the block of the result', () => {
    const chain = taken(standardChain());
    chain.does('bob', 'submitWorkResult', resultOf());
    const { blockHash } = chain.ledger.tip;
    const transitionHash = chain.ledger.blocks.at(-1)?.transitionHashes[0];
    chain.block([]);
    const seed = hashValue({ orderId: 'o-1', transitionHash, blockHash });
    const ranked = VERIFIERS.toSorted((a, b) =>
      hashValue({ seed, verifierId: a }) < hashValue({ seed, verifierId: b }) ? -1 : 1,
    );
    assert.equal(orderIn(chain).verification?.seed, seed);
    assert.deepEqual(committeeOf(chain), ranked.slice(0, 3));
  });

  /** A committee of up to fifteen, after a change by the test. */
  function drawnAfter(change: (chain: TestChain) => void): string[] {
    const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, committeeSize: 15 };
    const chain = standardChain();
    readyForWork(chain);
    change(chain);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1', { validationPolicy }));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    return committeeOf(chain).toSorted();
  }
  const without = (...gone: string[]): string[] =>
    VERIFIERS.filter((id) => !gone.includes(id)).toSorted();
  const referral = (chain: TestChain, agentId: string, referrerAgentId: string): void =>
    chain.ledger.seed('referral', agentId, {
      agentId,
      referrerAgentId,
      status: 'pending',
      registeredAt: { height: 1, index: 0 },
      qualifyingTransitionHash: null,
      qualifyingOrderId: null,
    });

  test('takes every eligible verifier if there are enough seats', () => {
    assert.deepEqual(
      drawnAfter(() => {}),
      without(),
    );
  });
  test('leaves out inactive verifiers', () => {
    assert.deepEqual(
      drawnAfter((chain) => {
        seedVerifier(chain, 'vera', { active: false });
        chain.seedAuthority('vito', { roles: ['VERIFIER'], active: false });
      }),
      without('vera', 'vito'),
    );
  });
  test('leaves out referrers and recruits of requester and worker', () => {
    assert.deepEqual(
      drawnAfter((chain) => {
        referral(chain, 'alice', 'vera');
        referral(chain, 'bob', 'vito');
        referral(chain, 'viki', 'bob');
      }),
      without('vera', 'vito', 'viki'),
    );
  });
  test('leaves out verifiers bonded at the height of acceptance or later', () => {
    assert.deepEqual(
      drawnAfter((chain) => {
        seedVerifier(chain, 'vera', { bondedAtHeight: chain.height + 1 });
        seedVerifier(chain, 'vito', { bondedAtHeight: chain.height + 2 });
      }),
      without('vito'),
    );
  });
  test('has one of each independence group', () => {
    const drawn = drawnAfter((chain) => {
      for (const id of ['vera', 'vito', 'viki'])
        seedVerifier(chain, id, { independenceGroup: 'one' });
    });
    assert.equal(drawn.length, 3);
  });
  test('that could not accept is not asked, and the order ends all the same', () => {
    const chain = readyForWork(standardChain(), []);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    assert.deepEqual(committeeOf(chain), []);
    pass(pass(chain, work.verifyWithin), work.verifyWithin);
    assert.equal(orderIn(chain).reason, 'UNVERIFIED');
  });
  test('is asked to run the work again as often as the policy says', () => {
    for (const [sampleRateBps, sampled] of [
      [0, false],
      [10_000, true],
    ] as const) {
      const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, sampleRateBps };
      const chain = inReview(standardChain(), { validationPolicy });
      assert.equal(orderIn(chain).verification?.sampled, sampled);
    }
  });
  test('is drawn from a roster of at most 256', () => {
    const state = new StateOverlay(new TestChain().ledger);
    const put = (i: number, active = true): void =>
      putVerifier(state, {
        actorId: `v-${i}`,
        bond: 1,
        independenceGroup: 'g',
        bondedAtHeight: 1,
        installedAt: { height: 0, index: 0 },
        active,
        votesAccepted: 0,
        votesRejected: 0,
        votesUnjudgeable: 0,
        votesMissed: 0,
      });
    for (let i = 0; i < MAX_ROSTER; i++) put(i);
    put(0);
    assert.throws(() => put(MAX_ROSTER), /full/);
    put(0, false);
    put(MAX_ROSTER);
    assert.equal(rosterOf(state).length, MAX_ROSTER);
  });
});

describe('a referral', () => {
  const statusAfter = (referrals: readonly (readonly [string, string])[]): string | undefined => {
    const chain = standardChain();
    for (const [agentId, referrerAgentId] of referrals) {
      chain.ledger.seed('referral', agentId, {
        agentId,
        referrerAgentId,
        status: 'pending',
        registeredAt: { height: 1, index: 0 },
        qualifyingTransitionHash: null,
        qualifyingOrderId: null,
      });
    }
    pass(pass(verified(chain), work.disputeWindow), work.settleWithin);
    assert.equal(orderIn(chain).status, 'PAID');
    const { status, qualifyingTransitionHash, qualifyingOrderId } =
      chain.record('referral', 'bob') ?? {};
    const receipt = chain.record('work-receipt', 'o-1');
    assert.equal(
      qualifyingTransitionHash ?? null,
      status === 'qualified' ? receipt?.transitionHash : null,
    );
    const isQualified = status === 'qualified';
    assert.equal(qualifyingOrderId ?? null, isQualified ? 'o-1' : null);
    assert.equal(counter(chain, 'qualified-referrals'), Number(isQualified));
    const { qualifiedReferrals = 0 } = chain.record('agent-stats', 'carol') ?? {};
    assert.equal(qualifiedReferrals, Number(isQualified && referrals[0]?.[1] === 'carol'));
    return status;
  };
  test('is qualified by paid work for a stranger', () => {
    assert.equal(statusAfter([['bob', 'carol']]), 'qualified');
  });
  test('is not qualified by work for the referrer', () => {
    assert.equal(statusAfter([['bob', 'alice']]), 'pending');
  });
  test('is not qualified by work for another recruit of the referrer', () => {
    assert.equal(
      statusAfter([
        ['bob', 'carol'],
        ['alice', 'carol'],
      ]),
      'pending',
    );
  });
});

describe('limits', () => {
  const stats = (chain: TestChain, actorId: string, counts: object): void =>
    chain.ledger.seed('work-stats', actorId, {
      ...workStatsOf(new StateOverlay(chain.ledger), actorId),
      ...counts,
    });
  test('the 1,000th order of a requester is created, the next one after one has ended', () => {
    const chain = readyForWork(standardChain());
    stats(chain, 'alice', { openOrders: MAX_OPEN_ORDERS - 1 });
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    refused(
      chain,
      chain.intent('alice', 'createWorkOrder', workOrderOf('o-2')),
      'WORK_ORDER_LIMIT',
    );
    chain.does('alice', 'cancelWorkOrder', ORDER);
    chain.does('alice', 'createWorkOrder', workOrderOf('o-2'));
  });
  test('the 16th order of a worker is accepted, the next one is not', () => {
    const chain = opened(standardChain());
    chain.does('alice', 'createWorkOrder', workOrderOf('o-2'));
    stats(chain, 'bob', { unfinishedOrders: MAX_UNFINISHED_ORDERS - 1, verifiedOrders: 1 });
    chain.does('bob', 'acceptWork', { ...ORDER, agentId: 'bob' });
    const next = chain.intent('bob', 'acceptWork', { orderId: 'o-2', agentId: 'bob' });
    refused(chain, next, 'WORK_UNFINISHED_LIMIT');
  });
  test('an agent without paid work takes two orders, with its first payment more', () => {
    const chain = readyForWork(standardChain());
    const take = (orderId: string): string =>
      verdictOf(chain.act('bob', 'acceptWork', { orderId, agentId: 'bob' }));
    for (let i = 1; i <= 4; i++) chain.does('alice', 'createWorkOrder', workOrderOf(`o-${i}`));
    assert.deepEqual(['o-1', 'o-2', 'o-3'].map(take), [
      'accepted',
      'accepted',
      'WORK_UNPROVEN_LIMIT',
    ]);
    chain.does('bob', 'submitWorkResult', resultOf());
    chain.block([]);
    votes(chain, 'ACCEPT', 'ACCEPT');
    assert.equal(take('o-3'), 'WORK_UNPROVEN_LIMIT', 'verified is not paid');
    chain.ledger.advance(work.disputeWindow.heights, work.disputeWindow.milliseconds);
    chain.does('bob', 'settleVerifiedWork', ORDER);
    assert.deepEqual(['o-3', 'o-4'].map(take), ['accepted', 'accepted']);
  });
  test('small payments of the minimum funding together raise the limit of orders, in version 2 of the rules', () => {
    const half = Math.ceil(work.minimumFunding / 2);
    for (const version of [1, 2]) {
      const chain = readyForWork(version === 1 ? standardChain() : withRules(standardChain()));
      const take = (orderId: string): string =>
        verdictOf(chain.act('bob', 'acceptWork', { orderId, agentId: 'bob' }));
      const paid = (orderId: string, members: JsonObject, verdict: WorkVote['vote'] = 'ACCEPT') => {
        chain.does('alice', 'createWorkOrder', workOrderOf(orderId, { funding: half, ...members }));
        assert.equal(take(orderId), 'accepted');
        chain.does('bob', 'submitWorkResult', resultOf(orderId));
        chain.block([]);
        for (const id of committeeOf(chain, orderId)) vote(chain, id, verdict, orderId);
        const { heights, milliseconds } =
          verdict === 'ACCEPT' ? work.disputeWindow : work.verifyWithin;
        chain.ledger.advance(heights, milliseconds);
        chain.does('bob', 'settleVerifiedWork', { orderId });
      };
      paid('small-1', {});
      paid('without-a-fee', { verificationFeeBps: 1 });
      if (version > 1) paid('without-a-verdict', {}, 'UNJUDGEABLE');
      for (const id of ['o-1', 'o-2', 'o-3'])
        chain.does('alice', 'createWorkOrder', workOrderOf(id));
      assert.deepEqual(['o-1', 'o-2', 'o-3'].map(take), [
        'accepted',
        'accepted',
        'WORK_UNPROVEN_LIMIT',
      ]);
      chain.does('bob', 'releaseWork', { orderId: 'o-2' });
      paid('small-2', {});
      chain.does('alice', 'createWorkOrder', workOrderOf('o-4'));
      assert.equal(take('o-3'), 'accepted');
      assert.equal(take('o-4'), version === 1 ? 'WORK_UNPROVEN_LIMIT' : 'accepted', `${version}`);
    }
  });
  test('funding and fee may be all there is, and one more is too much', () => {
    const chain = readyForWork(standardChain());
    const all = balance(chain, 'alice');
    chain.does('alice', 'transfer', { to: 'bob', amount: all - FUNDING - FEE });
    const dear = workOrderOf('o-1', { funding: FUNDING + 1 });
    refused(chain, chain.intent('alice', 'createWorkOrder', dear), 'INSUFFICIENT_BALANCE');
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
    assert.equal(balance(chain, 'alice'), 0);
  });
  test('members of the payload at, under and over their bounds', () => {
    const chain = readyForWork(standardChain());
    const policy = (members: object) => ({
      validationPolicy: { ...DEFAULT_VALIDATION_POLICY, ...members },
    });
    const span = (heights: number, milliseconds: number) => ({
      acceptWithin: { heights, milliseconds },
    });
    const fit = [
      { title: 'x'.repeat(140) },
      { title: '🦉'.repeat(140) },
      { funding: 1 },
      { verificationFeeBps: 1 },
      { verificationFeeBps: 5_000 },
      policy({ requiredAccepts: 7, committeeSize: 15, minIndependentGroups: 7 }),
      policy({ sampleRateBps: 10_000 }),
      span(1, 1),
      span(1_000_000, 365 * 86_400_000),
      { requirements: [] },
    ];
    for (const [i, members] of fit.entries()) {
      chain.does('alice', 'createWorkOrder', workOrderOf(`fit-${i}`, members));
    }
    for (const members of [
      { title: '' },
      { title: 'x'.repeat(141) },
      { funding: 0 },
      { funding: '5' },
      { verificationFeeBps: 0 },
      { verificationFeeBps: 5_001 },
      policy({ requiredAccepts: 1 }),
      policy({ requiredAccepts: 8, committeeSize: 15 }),
      policy({ committeeSize: 16 }),
      policy({ minIndependentGroups: 0 }),
      policy({ sampleRateBps: 10_001 }),
      policy({ proofTypes: [] }),
      policy({ mode: 'TRUST' }),
      span(0, 1),
      span(1, 0),
      span(1_000_001, 1),
      { requirements: ['a', 'a'] },
      { surplus: 1 },
      { scopeHash: 'A'.repeat(64) },
    ]) {
      const order = workOrderOf('unfit', members);
      refused(chain, chain.intent('alice', 'createWorkOrder', order), 'PAYLOAD_INVALID');
    }
  });
  test('the fee of any amount is exact', () => {
    const chain = readyForWork(standardChain());
    for (const [funding, bps, fee] of [
      [1, 1, 1],
      [10_000, 1, 1],
      [10_001, 1, 2],
      [123_456_789, 4_999, 61_716_049],
    ] as const) {
      const orderId = `fee-${funding}`;
      const order = workOrderOf(orderId, { funding, verificationFeeBps: bps });
      chain.does('alice', 'createWorkOrder', order);
      assert.equal(orderIn(chain, orderId).verificationFee, fee);
    }
  });
});

describe('a verifier that votes under a session', () => {
  const ballot = (verifierId: string, verdict: string) => ({
    orderId: 'o-1',
    verifierId,
    vote: verdict,
    evidenceHash: hashOfDigit('e'),
  });
  const SESSION = 's-1';

  /** An order in review, with a member that votes by session. */
  function withSession(): { chain: TestChain; accused: string } {
    const chain = inReview(standardChain());
    const [accused = ''] = committeeOf(chain);
    chain.seedAuthority(accused, {
      roles: ['AGENT', 'VERIFIER'],
      capabilities: [{ action: 'voteWork' }],
    });
    return { chain: granted(chain, accused, SESSION, { actions: ['voteWork'] }), accused };
  }
  const signed = (chain: TestChain, accused: string, verdict: string) =>
    bySession(chain, [accused, SESSION], 'voteWork', ballot(accused, verdict));
  const accuse = (chain: TestChain, verifierId: string, first: object, second: object) =>
    verdictOf(
      chain.act(OPERATOR, 'submitVerifierEvidence', {
        verifierId,
        orderId: 'o-1',
        first: { ...first },
        second: { ...second },
      }),
    );

  test('both ways is slashed as any other', () => {
    const { chain, accused } = withSession();
    const [one, other] = [signed(chain, accused, 'ACCEPT'), signed(chain, accused, 'REJECT')];
    assert.equal(accuse(chain, accused, one.envelope, other.envelope), 'accepted');
    assert.equal(chain.record('verifier', accused)?.bond, 900_000);
  });
  test('and under its own key otherwise is slashed, too', () => {
    const { chain, accused } = withSession();
    const own = chain.intent(accused, 'voteWork', ballot(accused, 'UNJUDGEABLE'));
    const other = signed(chain, accused, 'REJECT');
    assert.equal(accuse(chain, accused, own.envelope, other.envelope), 'accepted');
  });
  test('is slashed also when it ends the session behind its vote', () => {
    const { chain, accused } = withSession();
    const [cast, other] = [signed(chain, accused, 'ACCEPT'), signed(chain, accused, 'REJECT')];
    assert.ok(chain.submit(cast).ok);
    chain.does(accused, 'revokeSession', { agentId: accused, sessionId: SESSION });
    assert.equal(accuse(chain, accused, cast.envelope, other.envelope), 'accepted');
  });
  test('is not slashed for bytes that no key of its own has signed', () => {
    const { chain, accused } = withSession();
    const [one, other] = [signed(chain, accused, 'ACCEPT'), signed(chain, accused, 'REJECT')];
    const forged = { ...other.envelope, sessionId: 's-2' };
    assert.equal(accuse(chain, accused, one.envelope, forged), 'EVIDENCE_SIGNATURE_INVALID');
    const { sessionId: _, ...bare } = other.envelope;
    assert.equal(accuse(chain, accused, one.envelope, bare), 'EVIDENCE_SIGNATURE_INVALID');
    chain.does(accused, 'revokeSession', { agentId: accused, sessionId: SESSION });
    // Others may hold the key of an ended session.
    assert.equal(
      accuse(chain, accused, one.envelope, other.envelope),
      'EVIDENCE_SIGNATURE_INVALID',
    );
  });
});

test('a tenth of the bond of a verifier that votes both ways goes to the reward pool, once an order', () => {
  const chain = inReview(standardChain());
  const [accused = ''] = committeeOf(chain);
  const before = purses(chain);
  chain.does(OPERATOR, 'submitVerifierEvidence', conflictingVotes(chain, accused));
  assert.deepEqual(gains(chain, before), { 'net:bonds': -100_000, 'net:reward-pool': 100_000 });
  assert.equal(chain.record('verifier', accused)?.bond, 900_000);
  const id = hashValue({ verifierId: accused, orderId: 'o-1' });
  assert.equal(chain.record('verifier-evidence', id)?.slashed, 100_000);
  // Committed votes count like unsent ones.
  chain.ledger.seed('order', 'o-2', { ...orderIn(chain), orderId: 'o-2' });
  const cast = chain.intent(accused, 'voteWork', {
    orderId: 'o-2',
    verifierId: accused,
    vote: 'REJECT',
    evidenceHash: hashOfDigit('e'),
  });
  chain.submit(cast);
  const pair = { ...conflictingVotes(chain, accused, 'o-2'), second: cast.envelope };
  chain.does(OPERATOR, 'submitVerifierEvidence', pair);
  assert.equal(chain.record('verifier', accused)?.bond, 810_000);
});

describe('system transitions', () => {
  test('open the block, count, are hashed, and need no envelope', () => {
    const chain = opened(standardChain());
    chain.ledger.advance(work.acceptWithin.heights, work.acceptWithin.milliseconds);
    const root = chain.ledger.tip.stateRoot;
    const gift = chain.intent('alice', 'transfer', { to: 'bob', amount: 1 });
    const context = chain.ledger.nextContext();
    const { executed } = chain.ledger.execute([gift], context);
    const transition = {
      schema: 'NET-SYSTEM-TRANSITION/1',
      kind: 'timeOutWorkAcceptance',
      height: context.height,
      subject: 'o-1',
    };
    assert.deepEqual(executed.transitions, [
      { hash: sha256Hex(canonicalize(transition)), text: canonicalize(transition) },
      { hash: gift.encoded.transitionHash, text: gift.encoded.text },
    ]);
    assert.deepEqual(
      executed.events.map(({ type, transitionIndex }) => [type, transitionIndex]),
      [
        ['WorkOrderRejected', 0],
        ['Transferred', 1],
      ],
    );
    assert.notEqual(chain.ledger.tip.stateRoot, root);
    const idle = chain.ledger.execute([]).executed;
    assert.equal(idle.transitions.length, 0);
    assert.equal(idle.changes.size, 0);
  });
  test('are bounded for each kind in one block, those due first, the others next', () => {
    const chain = readyForWork(standardChain());
    const limit = TIMER_LIMITS.timeOutWorkAcceptance;
    const count = limit + 2;
    const creations = Array.from({ length: count }, (_, i) =>
      chain.intent('alice', 'createWorkOrder', workOrderOf(`o-${i}`)),
    );
    assert.ok(chain.block(creations).every(({ ok }) => ok));
    chain.ledger.advance(work.acceptWithin.heights, work.acceptWithin.milliseconds);
    const next = () => chain.ledger.nextContext();
    const numbers = [0, 1, 2].map(() => {
      const isDue = hasDueWork(chain.ledger, next());
      const { transitions } = chain.ledger.execute([]).executed;
      assert.equal(isDue, transitions.length > 0);
      return transitions.length;
    });
    assert.deepEqual(numbers, [limit, 2, 0]);
    assert.deepEqual(counters(chain), [0, 0, 0, 0, count]);
  });
  test('are left alone by a rehearsal, which gives no block', () => {
    const chain = opened(standardChain());
    chain.ledger.advance(work.acceptWithin.heights, work.acceptWithin.milliseconds);
    const { ledger } = chain;
    const rehearsal = new BlockExecution(ledger, ledger.nextContext(), ledger.tip, { due: 'skip' });
    assert.equal(rehearsal.transitionCount, 0);
    const gift = rehearsal.tryAction('alice', 'cancelWorkOrder', ORDER);
    assert.ok(gift.ok);
    assert.throws(() => rehearsal.finish(), /no block/);
  });
  test('of any kind that strangers can pile up are through within a minute of blocks', () => {
    // These kinds need an operator's or governor's permission.
    const admitted = [
      'closeProposalVote',
      'expireProposal',
      'releaseBonds',
      'releaseRoleBond',
      'expireRuntimeOffer',
      'expireAuditEngagement',
      'changeValidatorSet',
      'activateRules',
      'decideRules',
    ];
    for (const kind of TIMER_KINDS.filter((name) => !admitted.includes(name))) {
      const blocks = Math.ceil(100_000 / TIMER_LIMITS[kind]);
      assert.ok(blocks * 100 <= 60_000, `${kind}: ${blocks} blocks`);
    }
    assert.ok(MAX_SYSTEM_TRANSITIONS <= MAX_BLOCK_TRANSITIONS / 2 + 1_000);
  });
});
