import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkScope } from '@netd/formats';
import type { WorkOrder } from './parts.ts';
import { requireWorkable } from './workable.ts';

test('a worker refuses an order whose declared kinds let its requester choose the jury', async () => {
  const parts = {
    agentId: 'bob',
    retryingClient: { read: () => Promise.resolve({}), proves: false },
    peers: {},
  } as unknown as Parameters<typeof requireWorkable>[0];
  const scope = {
    acceptance: [{ kind: 'sha256', hash: 'd'.repeat(64) }],
    deliverable: { maxBytes: 1 },
    inputs: [],
  } as unknown as WorkScope;
  const order = (conditionKinds: string[]) =>
    ({ orderId: 'o-1', requesterId: 'alice', conditionKinds }) as unknown as WorkOrder;
  await requireWorkable(parts, order(['sha256']), scope);
  await assert.rejects(requireWorkable(parts, order(['sha256', 'rare']), scope), {
    code: 'ORDER_UNVERIFIABLE',
    message: /declares the kind rare/,
  });
});
