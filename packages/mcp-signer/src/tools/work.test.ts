import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '@netd/sdk';
import { deliverWorkTool } from './work.ts';

const agentId = 'cleo';

test('refuses a result that is not base64, and delivers nothing', async () => {
  const agent = {
    agentId,
    client: { read: async () => ({ order: { workerId: agentId, status: 'ACCEPTED' } }) },
    deliver: () => assert.fail('delivered'),
  } as unknown as Agent;
  for (const result of ['no base64!', 'QQ', 'QR==']) {
    const args = { orderId: 'order', result, encoding: 'base64' };
    const call = { agent, args } as unknown as Parameters<typeof deliverWorkTool.run>[0];
    await assert.rejects(deliverWorkTool.run(call), { code: 'ARGUMENTS_INVALID' });
  }
});
