/** A height-only deadline must not appear as a date in 1970. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR, resultOf, workOrderOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { ChainHarness, HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { agentDecisionDossier } from '../agents/agent-decision-dossier.ts';
import { agentOperations } from '../agents/agent-operations.ts';
import { workAudit } from './work-audit.ts';
import { workBrief } from './work-brief.ts';
import { workOrderRegistry } from './work-order-registry.ts';
import { workOrder } from './work-order.ts';

test('an order has no deadline while its committee is drawn', async (t) => {
  // Version 1 of the rules accepts orders without verifiers.
  const genesis = structuredClone(HARNESS_GENESIS);
  delete genesis.rules;
  const harness = await ChainHarness.open({ path: join(tempDir(t), 'chain'), genesis });
  t.after(() => harness.close());
  await harness.commit(harness.registration('bob'));
  await harness.commit(harness.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-1')));
  await harness.commit(harness.intent('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' }));
  // The clock stands still, so the next block does not come.
  harness.post(harness.intent('bob', 'submitWorkResult', resultOf('o-1')));
  await harness.settle();
  const snapshot = harness.store.snapshot();
  t.after(() => snapshot.close());
  const orderId = 'o-1';
  const agentId = 'bob';
  const { order } = workOrder.render(snapshot, { orderId });
  const { phase, deadline } = order as JsonObject;
  assert.deepEqual([phase, deadline], ['DRAWING', null]);
  for (const document of [
    workOrderRegistry.render(snapshot, {}),
    workBrief.render(snapshot, { orderId }),
    workAudit.render(snapshot, { orderId }),
    agentOperations.render(snapshot, { agentId }),
    agentDecisionDossier.render(snapshot, { agentId }),
  ]) {
    assert.match(JSON.stringify(document), /"o-1"/);
    assert.doesNotMatch(JSON.stringify(document), /1970-/);
  }
});
