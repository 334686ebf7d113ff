import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disputeBondOf, mustAnswer } from './order-acts.ts';
import type { WorkOrder } from './parts.ts';

const orderOf = (members: Partial<WorkOrder>): WorkOrder =>
  ({
    phase: 'CONTESTED',
    funding: 5,
    requesterId: 'rita',
    workerId: 'walt',
    dispute: { openedBy: 'rita' },
    ...members,
  }) as WorkOrder;

describe('a dispute', () => {
  test('names half the funding as bond, rounded up, unless the order keeps version 1', () => {
    assert.equal(disputeBondOf(orderOf({ rulesVersion: 2 })), 3);
    assert.equal(disputeBondOf(orderOf({})), null);
  });
  test('is answered by the other side only', () => {
    assert.deepEqual(
      ['rita', 'walt'].map((agentId) => mustAnswer(orderOf({ rulesVersion: 2 }), agentId)),
      [false, true],
    );
    assert.equal(mustAnswer(orderOf({ rulesVersion: 2, phase: 'DISPUTED' }), 'walt'), false);
  });
});
