import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderAfter, unexplained, type Order, type OrderEvent } from './order-past.ts';

const HASH = 'ab'.repeat(32);
const parties = { orderId: 'o-1', requesterId: 'rita' };
const event = (height: number, type: string, data: object): OrderEvent => ({
  type,
  data: { ...parties, ...data },
  transitionIndex: 0,
  transitionHash: HASH,
  block: { height },
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
    assert.deepEqual(unexplained(NEWEST, EVENTS.toSpliced(1, 1)), [
      'workerId',
      'times of its steps',
    ]);
    assert.deepEqual(unexplained(NEWEST, []), ['events']);
  });

  test('is not explained by few events because the node says that there are more', () => {
    const few = EVENTS.toSpliced(1, 1);
    assert.deepEqual(unexplained(NEWEST, few, true), unexplained(NEWEST, few));
    const full = Array.from({ length: 100 }, () => EVENTS[0]!);
    assert.deepEqual(unexplained(NEWEST, full, true), []);
  });
});
