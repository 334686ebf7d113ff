/** Attacks and what they cost. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { contestBondOf, TOTAL_SUPPLY, verificationFeeOf, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { CLASS_NAMES } from '../../accounting-classes.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { StateOverlay } from '../../state.ts';
import { refused } from '../../testing/expectations.ts';
import { verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';
import {
  committeeOf,
  opened,
  orderIn,
  pass,
  readyForWork,
  resultOf,
  seedMoney,
  VERIFIERS,
  vote,
} from '../../testing/work.ts';
import { voteWeights } from '../governance/proposals.ts';
import { MAX_UNPROVEN_ORDERS, workStatsOf } from './order.ts';

const { work } = DEVNET_POLICY;
/** The price of one utility vote, in unet. */
const PRICE = verificationFeeOf(work.minimumFunding, work.verificationFeeBps);

const balance = (chain: TestChain, id: string): number => chain.record('account', id)?.balance ?? 0;
const weightOf = (chain: TestChain, actorId: string): number =>
  voteWeights(new StateOverlay(chain.ledger), actorId).utilityWeight;

/** A full order between two colluding parties. */
function buy(chain: TestChain, orderId: string, members: JsonObject): void {
  chain.does('alice', 'createWorkOrder', workOrderOf(orderId, members));
  chain.does('bob', 'acceptWork', { orderId, agentId: 'bob' });
  chain.does('bob', 'submitWorkResult', resultOf(orderId));
  chain.block([]);
  for (const verifierId of committeeOf(chain, orderId).slice(0, 2)) {
    vote(chain, verifierId, 'ACCEPT', orderId);
  }
  pass(chain, work.disputeWindow);
  chain.does('bob', 'settleVerifiedWork', { orderId });
}

describe('a buyer of votes', () => {
  /** The joint loss and the votes after twenty orders. */
  function twenty(members: JsonObject): { cost: number; weight: number } {
    const chain = readyForWork(standardChain());
    const before = balance(chain, 'alice') + balance(chain, 'bob');
    for (let i = 0; i < 20; i++) buy(chain, `o-${i}`, members);
    const cost = before - balance(chain, 'alice') - balance(chain, 'bob');
    return { cost, weight: weightOf(chain, 'bob') };
  }
  test('with orders of a unet has no vote; before, twenty for twenty unet', () => {
    assert.deepEqual(twenty({ funding: 1, verificationFeeBps: 1 }), { cost: 20, weight: 0 });
  });
  test('with the least orders that count pays 200,000 unet a vote', () => {
    const { cost, weight } = twenty({ funding: work.minimumFunding });
    assert.deepEqual([cost, weight], [20 * PRICE, 20]);
    assert.equal(PRICE, 200_000);
  });
});

describe('a griefer', () => {
  const span = (from: TestChain, height: number): number => from.height - height;

  test('with two free names blocks an order once more each, and has nothing to lose', () => {
    const chain = opened(standardChain());
    const since = chain.height;
    for (const agentId of ['bob', 'carol']) {
      chain.does(agentId, 'acceptWork', { orderId: 'o-1', agentId });
      pass(chain, work.deliverWithin);
    }
    assert.equal(orderIn(chain).reason, 'DELIVERY_TIMEOUT');
    // Without a bond, the requester bears this.
    assert.ok(span(chain, since) >= 2 * work.deliverWithin.heights);
    for (const agentId of ['bob', 'carol']) {
      assert.equal(workStatsOf(new StateOverlay(chain.ledger), agentId).timeouts, 1);
    }
  });
  test('pays the requester for every order that asks for a bond', () => {
    const chain = opened(standardChain(), { workerBond: FUNDING });
    seedMoney(chain, 'carol', FUNDING);
    const before = balance(chain, 'bob') + balance(chain, 'carol');
    for (const agentId of ['bob', 'carol']) {
      chain.does(agentId, 'acceptWork', { orderId: 'o-1', agentId, workerBond: FUNDING });
      pass(chain, work.deliverWithin);
    }
    const cost = before - balance(chain, 'bob') - balance(chain, 'carol');
    assert.equal(cost, 2 * FUNDING, 'before: nothing');
  });
  test('with ten free names holds twenty orders; before, a hundred and sixty', () => {
    const chain = readyForWork(standardChain());
    const names = Array.from({ length: 10 }, (_, i) => `griefer-${i}`);
    chain.join(names);
    let held = 0;
    for (let i = 0; i < 40; i++) {
      chain.does('alice', 'createWorkOrder', workOrderOf(`o-${i}`));
      const taker = names.find(
        (agentId) => chain.act(agentId, 'acceptWork', { orderId: `o-${i}`, agentId }).ok,
      );
      if (taker !== undefined) held++;
    }
    assert.equal(held, names.length * MAX_UNPROVEN_ORDERS);
  });
});

test('who orders a block takes any order of the market first, and none for a named agent', () => {
  const chain = readyForWork(standardChain());
  chain.does('alice', 'createWorkOrder', workOrderOf('o-1'));
  chain.does('alice', 'createWorkOrder', workOrderOf('o-2', { agentId: 'bob' }));
  const seen = ['o-1', 'o-2'].map((orderId) =>
    chain.intent('bob', 'acceptWork', { orderId, agentId: 'bob' }),
  );
  const first = ['o-1', 'o-2'].map((orderId) =>
    chain.intent('carol', 'acceptWork', { orderId, agentId: 'carol' }),
  );
  assert.deepEqual(chain.block([...first, ...seen]).map(verdictOf), [
    'accepted',
    'WORK_TARGETED',
    'WORK_ORDER_NOT_OPEN',
    'accepted',
  ]);
});

test('a sole block maker leaves a contest out until its window ends', () => {
  const chain = opened(withRules(standardChain()), { jury: 'none' });
  chain.does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
  chain.does('bob', 'submitWorkResult', resultOf());
  const bond = contestBondOf(orderIn(chain).funding);
  const contest = { orderId: 'o-1', reasonHash: hashOfDigit('f'), bond };
  const lasting = { expiresAtHeight: chain.height + 4_000 };
  const withheld = chain.intent('alice', 'openDispute', contest, lasting);
  pass(chain, work.verifyWithin);
  refused(chain, withheld, 'DISPUTE_WINDOW_CLOSED');
  chain.does('bob', 'settleVerifiedWork', { orderId: 'o-1' });
  assert.equal(orderIn(chain).status, 'PAID');
});

test('a sole block maker grinds the jury that it wants', () => {
  const chain = opened(withRules(standardChain()));
  chain.does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
  const wanted = ['vera', 'viki', 'vito'];
  const isDrawn = (milliseconds: number): boolean => {
    const other = chain.copy();
    other.block([other.intent('bob', 'submitWorkResult', resultOf())], milliseconds);
    other.block([]);
    return committeeOf(other).toSorted().join() === wanted.join();
  };
  const times = Array.from({ length: 100 }, (_, i) => 100 + i);
  assert.ok(times.some(isDrawn), 'one of ten juries, in a hundred tries');
});

test('a ring of recruits that pay each other qualifies for the fee of each order', () => {
  const chain = readyForWork(standardChain());
  const ring = ['bob', 'carol', 'alice'] as const;
  ring.forEach((agentId, i) =>
    chain.ledger.seed('referral', agentId, {
      agentId,
      qualifyingOrderId: null,
      qualifyingTransitionHash: null,
      referrerAgentId: ring[(i + 1) % ring.length] ?? '',
      registeredAt: { height: 1, index: 0 },
      status: 'pending',
    }),
  );
  const before = balance(chain, 'alice') + balance(chain, 'bob');
  // carol has recruited bob, so only alice can pay for its work.
  buy(chain, 'o-1', { funding: work.minimumFunding });
  assert.equal(chain.record('referral', 'bob')?.status, 'qualified');
  assert.equal(before - balance(chain, 'alice') - balance(chain, 'bob'), PRICE);
});

test("an accusation without the verifier's signature is refused", () => {
  const chain = readyForWork(standardChain());
  const bonds = balance(chain, 'net:bonds');
  const claim = { verifierId: 'vera', evidenceHash: hashOfDigit('e') };
  assert.equal(verdictOf(chain.act(OPERATOR, 'submitVerifierEvidence', claim)), 'PAYLOAD_INVALID');
  assert.equal(balance(chain, 'net:bonds'), bonds);
});

test('a hoarder of names holds one for a key, and only until its application expires', () => {
  const chain = standardChain();
  const expiresAtHeight = chain.height + 5;
  const verdicts = ['cafe', 'bank', 'news'].map((name, i) =>
    verdictOf(
      chain.submit(
        chain.application(
          name,
          'GOVERNOR',
          { applicationId: `hoard-${i}`, expiresAtHeight },
          chain.keyOf('mallory'),
        ),
      ),
    ),
  );
  assert.deepEqual(
    verdicts.map((verdict) => verdict === 'accepted'),
    [true, false, false],
  );
  chain.ledger.advance(6, 600);
  chain.block([]);
  assert.ok(chain.register('cafe').ok, 'free again');
});

const AGENTS = ['alice', 'bob', 'carol', 'dave'] as const;
const JURY = VERIFIERS.slice(0, 3);
const span = (heights: number, milliseconds: number) => ({ heights, milliseconds });
const POLICY = {
  ...work,
  acceptWithin: span(6, 600),
  deliverWithin: span(6, 600),
  verifyWithin: span(6, 600),
  disputeWindow: span(2, 200),
  resolveWithin: span(6, 600),
  settleWithin: span(2, 200),
  minimumBondedDelivery: span(1, 1),
  minimumSpans: { deliver: span(1, 1), verify: span(1, 1) },
};

/** A coalition of four agents and two of three verifiers. */
const scheme = fc.array(
  fc.record({
    requester: fc.nat(3),
    worker: fc.nat(3),
    funding: fc.constantFrom(1, 999, work.minimumFunding - 1, work.minimumFunding, FUNDING * 3),
    feeBps: fc.constantFrom(undefined, 1, 100, 5_000),
    bond: fc.constantFrom(undefined, 1, 777),
    delivers: fc.boolean(),
    accepts: fc.subarray([...JURY]),
    disputes: fc.boolean(),
    idle: fc.nat(9),
  }),
  { minLength: 4, maxLength: 14 },
);

/** A fixed play, because random ones may do neither. */
const HONEST = {
  requester: 0,
  worker: 1,
  funding: FUNDING * 3,
  feeBps: undefined,
  bond: 777 as const,
  delivers: true,
  accepts: JURY,
  disputes: false,
  idle: 9,
};
const BUYS_AND_FORFEITS = [HONEST, { ...HONEST, worker: 2, delivers: false }];

test('whatever a coalition plays, money is conserved, no order is held for ever, and every vote has cost its price', () => {
  let votesBought = 0;
  let forfeited = 0;
  fc.assert(
    fc.property(scheme, (moves) => {
      const chain = standardChain({ work: POLICY });
      chain.join(['dave']);
      readyForWork(chain, JURY);
      for (const agentId of ['carol', 'dave']) {
        chain.does('alice', 'transfer', { to: agentId, amount: 1_000_000_000 });
        const actions = ['createWorkOrder', 'cancelWorkOrder'];
        chain.does(agentId, 'extendAgentCapabilities', { agentId, actions });
      }
      let fees = 0;
      for (const [i, move] of moves.entries()) {
        const orderId = `o-${i}`;
        const requester = AGENTS[move.requester] ?? 'alice';
        const agentId = AGENTS[move.worker] ?? 'bob';
        const { funding, feeBps, bond } = move;
        const workerBond = bond === undefined ? {} : { workerBond: Math.min(bond, funding) };
        const fee = feeBps === undefined ? {} : { verificationFeeBps: feeBps };
        chain.does(
          requester,
          'createWorkOrder',
          workOrderOf(orderId, { funding, ...fee, ...workerBond }),
        );
        chain.act(agentId, 'acceptWork', { orderId, agentId, ...workerBond });
        if (move.delivers) chain.act(agentId, 'submitWorkResult', resultOf(orderId, { agentId }));
        chain.block([]);
        for (const verifierId of move.accepts) vote(chain, verifierId, 'ACCEPT', orderId);
        if (move.disputes) {
          chain.act(requester, 'openDispute', { orderId, reasonHash: hashOfDigit('f') });
        }
        chain.ledger.advance(1 + move.idle, 100 * move.idle);
        chain.block([]);
      }
      // Enough for the longest life: reopened and redrawn once, each phase waiting twice.
      for (let i = 0; i < 14; i++) pass(chain, POLICY.acceptWithin);
      for (const [i] of moves.entries()) {
        const order = orderIn(chain, `o-${i}`);
        assert.equal(order.phase, 'ENDED');
        if (order.status === 'PAID') fees += order.verificationFee;
      }
      assert.equal(balance(chain, 'net:escrow'), 0);
      const total = CLASS_NAMES.reduce((sum, name) => sum + (chain.record('supply', name) ?? 0), 0);
      assert.equal(total, TOTAL_SUPPLY);
      const weight = AGENTS.reduce((sum, agentId) => sum + weightOf(chain, agentId), 0);
      assert.ok(fees >= weight * PRICE, `${weight} votes for ${fees} unet`);
      votesBought += weight;
      forfeited += chain.record('cumulative-total', 'worker-bonds-forfeited') ?? 0;
    }),
    { numRuns: 12, verbose: true, examples: [[BUYS_AND_FORFEITS]] },
  );
  // The plays must have exercised both.
  assert.ok(votesBought > 0 && forfeited > 0, `${votesBought} ${forfeited}`);
});
