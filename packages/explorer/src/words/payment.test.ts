import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentFaults } from './payment.ts';

test('refuses a payment by another agent, to another agent, or of another amount', () => {
  const data = { orderId: 'o', requesterId: 'house', workerId: 'ada', paid: 5 };
  const created = { type: 'WorkOrderCreated', data: {} };
  const faults = (change: object): string[] =>
    paymentFaults(
      { agentId: 'ada', paid: 5 },
      [created, { type: 'WorkOrderPaid', data: { ...data, ...change } }],
      'house',
    );
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ requesterId: 'mallory' }), ['requester']);
  assert.deepEqual(faults({ workerId: 'eve' }), ['worker']);
  assert.deepEqual(faults({ paid: 6 }), ['amount']);
  assert.deepEqual(paymentFaults({ agentId: 'ada', paid: 5 }, [created], 'house'), ['payment']);
});
