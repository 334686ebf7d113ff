/** A network whose names cost work, and one agent that does it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '@netd/node';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';

test('register and apply do the work that a name costs', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-names-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  makeFastDevnet(dataDir, { policy: { names: { price: 'work', workBits: 10 } } });
  const node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  t.after(() => node.stop());
  const actor = { actorId: 'ada', key: await AgentKey.generate() };
  const client = new NetClient({ url: node.url, actor });
  assert.deepEqual((await client.network()).registration, { price: 'work', workBits: 10 });
  await client.register(actor, { description: 'Works.' });
  const { agent } = await client.read('/v1/agents/{agentId}', { agentId: 'ada' });
  assert.deepEqual([agent.workBits, agent.description], [10, 'Works.']);
  const hugo = { actorId: 'hugo', key: await AgentKey.generate() };
  const { events } = await client.apply(hugo, {
    applicationId: 'hugo-1',
    role: 'HUMAN',
    capabilities: [{ action: 'faucet', maxAmount: 1 }],
    profile: {},
    expiresAtHeight: 1_000,
  });
  assert.ok(events.some(({ type }) => type === 'OperatorInvitationCreated'));
});
