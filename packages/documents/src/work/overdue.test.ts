import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { agentOpportunities } from './agent-opportunities.ts';
import { workBrief } from './work-brief.ts';

test('an order past its acceptBy is OVERDUE until the next block ends it, and is offered to no agent', async (t) => {
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain') });
  t.after(() => harness.close());
  const order = workOrderOf('late', { acceptWithin: { heights: 1, milliseconds: 1 } });
  // The clock stands still, so the next block does not come.
  harness.post(harness.intent(OPERATOR, 'createWorkOrder', order));
  await harness.settle();
  const snapshot = harness.store.snapshot();
  t.after(() => snapshot.close());
  const brief = workBrief.render(snapshot, { orderId: 'late' });
  const { acceptable, state } = brief['availability'] as JsonObject;
  assert.deepEqual([acceptable, state], [false, 'OVERDUE']);
  assert.deepEqual([brief['acceptWork'], brief['nextActions']], [null, []]);
  assert.deepEqual(agentOpportunities.render(snapshot, {})['opportunities'], []);
});
