/** Error codes of unreadable scopes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import type { WorkOrder } from './parts.ts';
import { readScope } from './work-offer.ts';

test('a scope that is malformed is not called sealed, with or without a key to open what is', async () => {
  const bytes = utf8Bytes('{"schema":"NET-WORK-SCOPE/1"}');
  const order = { scopeHash: sha256Hex(bytes), requesterId: 'rita', orderId: 'o-1' } as WorkOrder;
  const parts = { agentId: 'ada', chainId: 'net-test', encryption: null };
  await assert.rejects(readScope(parts, order, bytes), { code: 'DOCUMENT_INVALID' });
});
