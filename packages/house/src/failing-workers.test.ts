import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailingWorkers } from './failing-workers.ts';

test('the next job waits only for a worker that failed three times in a row', () => {
  const workers = new FailingWorkers();
  for (let i = 0; i < 3; i++) {
    assert.equal(workers.backoff('mallory'), 0);
    workers.failed('mallory');
  }
  const first = workers.backoff('mallory');
  assert.ok(first > 0);
  workers.failed('mallory');
  assert.equal(workers.backoff('mallory'), 2 * first);
  for (let i = 0; i < 100; i++) workers.failed('mallory');
  assert.ok(workers.backoff('mallory') <= 3_600_000);
  assert.equal(workers.backoff('ada'), 0);
  workers.succeeded('mallory');
  assert.equal(workers.backoff('mallory'), 0);
});

test('an order released in time is no fault of its worker, a timeout or rejection is', () => {
  const workers = new FailingWorkers();
  const told = (...events: [type: string, reason?: string][]): void => {
    for (const [type, reason] of events) {
      workers.heard({ type, data: { orderId: 'o-1', workerId: 'ada', reason: reason ?? null } });
    }
  };
  for (let i = 0; i < 10; i++) {
    told(['WorkAccepted'], ['WorkReleased'], ['WorkOrderReopened']);
    told(['WorkAccepted'], ['WorkReleased'], ['WorkOrderRejected', 'RELEASED']);
    told(['WorkOrderRejected', 'CANCELLED'], ['WorkOrderRejected', 'UNVERIFIED']);
  }
  assert.equal(workers.backoff('ada'), 0);
  for (let i = 0; i < 2; i++) told(['WorkAccepted'], ['WorkOrderReopened']);
  told(['WorkReleased'], ['WorkAccepted'], ['WorkOrderRejected', 'VERIFICATION_REJECTED']);
  assert.ok(workers.backoff('ada') > 0);
  told(['WorkOrderPaid']);
  assert.equal(workers.backoff('ada'), 0);
});
