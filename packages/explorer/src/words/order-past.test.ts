import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextOfOrder } from '@netd/protocol/sentences';
import { orderAfter, unexplained, type Order, type OrderEvent } from './order-past.ts';

const HASH = 'ab'.repeat(32);
const parties = { orderId: 'o-1', requesterId: 'rita' };
const event = (height: number, type: string, data: object): OrderEvent => ({
  type,
  data: { ...parties, ...data },
  transitionIndex: 0,
  transitionHash: HASH,
  block: { height, timestamp: new Date(height * 1_000).toISOString() },
});
const terms = {
  agentId: null,
  assignmentMode: 'OPEN_MARKET',
  funding: 10,
  scopeHash: HASH,
  verificationFee: 1,
  workerBond: 0,
};
const EVENTS = [
  event(3, 'WorkOrderCreated', terms),
  event(5, 'WorkAccepted', { workerId: 'wim', workerBond: 0 }),
  event(8, 'WorkResultSubmitted', { workerId: 'wim', deliverableHash: HASH, workerBond: 0 }),
];
const at = (height: number) => ({ height, index: 0 });
const NEWEST = {
  ...parties,
  ...terms,
  title: 'Count words',
  rulesVersion: 2,
  status: 'VERIFYING',
  phase: 'DRAWING',
  reason: null,
  workerId: 'wim',
  createdAt: at(3),
  acceptedAt: at(5),
  endedAt: null,
  returns: 0,
  releasedBy: [],
  result: { deliverableHash: HASH, evidence: null, transitionHash: HASH, submittedAt: at(8) },
  verification: null,
  firstVerification: null,
  dispute: null,
  unjudged: null,
  disputableUntil: null,
  deadline: null,
  acceptWithin: { heights: 500, milliseconds: 60_000 },
  deliverWithin: { heights: 100, milliseconds: 30_000 },
  verifyWithin: { heights: 10, milliseconds: 10_000 },
} as unknown as Order;

describe('an order at an earlier height', () => {
  const then = (height: number): Order | null =>
    orderAfter(
      NEWEST,
      EVENTS.filter(({ block }) => block.height <= height),
    );

  test('does not exist before its first event', () => {
    assert.equal(then(2), null);
  });

  test('has its terms, and the phase, worker and result that its events have named', () => {
    const [open, accepted, delivered] = [then(4), then(5), then(8)];
    assert.deepEqual([open?.phase, open?.workerId, open?.title], ['OPEN', null, 'Count words']);
    assert.deepEqual(
      [accepted?.phase, accepted?.workerId, accepted?.result],
      ['ACCEPTED', 'wim', null],
    );
    assert.deepEqual(delivered?.result, NEWEST.result);
  });

  test('is explained by all of its events, and by no fewer', () => {
    assert.deepEqual(unexplained(NEWEST, EVENTS), []);
    assert.deepEqual(unexplained(NEWEST, EVENTS.toSpliced(1, 1)), ['events']);
    assert.deepEqual(unexplained(NEWEST, EVENTS.slice(0, 2)), ['status', 'phase', 'result']);
    assert.deepEqual(unexplained(NEWEST, []), ['events']);
  });

  test('has the deadlines that its events and its own spans give', () => {
    const next = (height: number): unknown => nextOfOrder(then(height)!).by;
    assert.deepEqual(next(4), { height: 503, time: new Date(63_000).toISOString() });
    assert.deepEqual(next(5), { height: 105, time: new Date(35_000).toISOString() });
    assert.equal(next(8), null);
    const disputableUntil = { height: 40, time: 90_000 };
    const verified = [...EVENTS, event(20, 'WorkVerified', { disputableUntil })];
    assert.deepEqual(nextOfOrder(orderAfter(NEWEST, verified)!).by, {
      height: 40,
      time: new Date(90_000).toISOString(),
    });
  });

  test('has the deadline of an operator by the proven policy, whatever the node names', () => {
    const told = { height: 9_999, time: new Date(9e9).toISOString() };
    const newest = { ...NEWEST, rulesVersion: 1, phase: 'DISPUTED', deadline: told } as Order;
    const disputed = [...EVENTS, event(20, 'DisputeOpened', { actorId: 'wim', bond: 0 })];
    const span = { heights: 30, milliseconds: 5_000 };
    const spans = { settleWithin: span, resolveWithin: span };
    assert.equal(orderAfter(newest, disputed)?.deadline, null);
    const due = { height: 50, time: new Date(25_000).toISOString() };
    assert.deepEqual(orderAfter(newest, disputed, spans)?.deadline, due);
  });

  test('bears malformed events, which explain nothing', () => {
    const types = [
      'WorkAccepted',
      'WorkReleased',
      'WorkOrderReopened',
      'WorkResultSubmitted',
      'WorkCommitteeDrawn',
      'WorkVoteCommitted',
      'WorkRevealOpened',
      'WorkVoted',
      'WorkVerified',
      'WorkVotedDown',
      'WorkUnjudged',
      'DisputeOpened',
      'DisputeAnswered',
      'WorkOrderRejected',
    ];
    const members = [
      'workerId',
      'verifierIds',
      'verifierId',
      'disputableUntil',
      'deadline',
      'reason',
    ];
    for (const type of types) {
      for (const value of [undefined, null, 7, 'x', [null], {}, { height: 1, time: 9e15 }]) {
        const data = Object.fromEntries(members.map((name) => [name, value]));
        const bad = { ...event(9, type, data), block: { height: 9, timestamp: 'never' } };
        const order = orderAfter(NEWEST, [...EVENTS, bad]);
        assert.ok(order, type);
        nextOfOrder(order);
        const told = unexplained(NEWEST, [...EVENTS, bad]);
        assert.ok(
          told.length > 0 || type === 'DisputeAnswered',
          `${type} ${JSON.stringify(value)}`,
        );
      }
    }
  });

  test('is not explained if a step is missing that left no trace in the newest order', () => {
    const missed = [
      event(4, 'WorkAccepted', { workerId: 'mia', workerBond: 0 }),
      event(5, 'WorkOrderReopened', { workerId: 'mia' }),
    ];
    const accepted = event(6, 'WorkAccepted', { workerId: 'wim', workerBond: 0 });
    const all = [EVENTS[0]!, ...missed, accepted, EVENTS[2]!];
    const newest = { ...NEWEST, returns: 1, acceptedAt: at(6) };
    assert.deepEqual(unexplained(newest, all), []);
    assert.deepEqual(unexplained(newest, all.toSpliced(1, 1)), ['events']);
    const drawn = (height: number, round: number): OrderEvent =>
      event(height, 'WorkCommitteeDrawn', { round, seed: 's', sampled: false, verifierIds: ['v'] });
    const verification = {
      committee: [{ verifierId: 'v', independenceGroup: 'g' }],
      round: 2,
      seed: 's',
      sampled: false,
      votes: [],
    };
    const judged: Order = { ...NEWEST, phase: 'REVIEW', verification };
    assert.deepEqual(unexplained(judged, [...EVENTS, drawn(9, 1), drawn(10, 2)]), []);
    assert.deepEqual(unexplained(judged, [...EVENTS, drawn(10, 2)]), ['events']);
  });
});
