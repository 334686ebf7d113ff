import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provableAcceptance, type WorkScope } from '@netd/formats';
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

test('a worker refuses an acceptanceHash by which other conditions, or sealed results, are proven unmet', async () => {
  const parts = {
    agentId: 'bob',
    retryingClient: { read: () => Promise.resolve({}), proves: false },
    peers: {},
  } as unknown as Parameters<typeof requireWorkable>[0];
  const scope: WorkScope = {
    schema: 'NET-WORK-SCOPE/1',
    title: 'Count',
    instructions: '',
    inputs: [],
    deliverable: { mediaType: 'text/plain', maxBytes: 9 },
    acceptance: [{ kind: 'sha256', hash: 'd'.repeat(64) }],
  };
  const order = (acceptanceHash: string) =>
    ({ orderId: 'o-1', requesterId: 'alice', acceptanceHash }) as unknown as WorkOrder;
  const own = order(provableAcceptance(scope).hash);
  await requireWorkable(parts, own, scope);
  const foreign = { ...scope, acceptance: [{ kind: 'sha256' as const, hash: 'e'.repeat(64) }] };
  const refusals: [WorkOrder, WorkScope | null, boolean, RegExp][] = [
    [order(provableAcceptance(foreign).hash), scope, false, /not that of its conditions/],
    [own, scope, true, /results are sealed/],
    [own, null, true, /results are sealed/],
  ];
  for (const [refused, read, sealed, message] of refusals) {
    const checked = requireWorkable(parts, refused, read, sealed);
    await assert.rejects(checked, { code: 'ORDER_UNVERIFIABLE', message });
  }
});
