/** Answers that never arrive. Slow: the client waits before it asks again. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import type { JsonObject } from '@netd/protocol';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';
import { LostAnswerError } from './submission.ts';
import { RecordingProxy } from './testing/recording-proxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-act-'));
let running: RunningNode;
let proxy: RecordingProxy;
let client: NetClient;
let ada: Actor;

before(async () => {
  running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  proxy = await RecordingProxy.before(running.url);
  ada = { actorId: 'ada', key: await AgentKey.generate() };
  const direct = new NetClient({ url: running.url, actor: ada });
  await direct.register(ada);
  await direct.act('extendAgentCapabilities', { actions: ['faucet'] });
});
beforeEach(() => {
  proxy.interfere = () => undefined;
  proxy.taken();
  client = new NetClient({ url: proxy.url, actor: ada });
});
after(async () => {
  proxy.close();
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
});

const sentIntents = (): JsonObject[] =>
  proxy.requests
    .filter(({ path }) => path === '/v1/intents')
    .map(({ body }) => JSON.parse(body) as JsonObject);

describe('an answer that is lost', () => {
  test('is asked for again, and the action happens once', async () => {
    let lost = 0;
    proxy.interfere = ({ path }) => (path === '/v1/intents' && lost++ < 2 ? 'lost' : undefined);
    const receipt = await client.act('faucet', { amount: 5 });
    assert.equal(new Set(sentIntents().map(({ nonce }) => nonce)).size, 1);
    assert.equal(sentIntents().length, 3);
    const paid = await client.get<{ events: { id: string; data: JsonObject }[] }>(
      '/v1/events?agent=ada&type=FaucetPaid',
    );
    assert.deepEqual(
      paid.events.map(({ id }) => id),
      receipt.events.map(({ id }) => id),
    );
  });

  test('for good says that nobody knows, and can be asked for later', async () => {
    await client.act('faucet', { amount: 1 });
    proxy.interfere = () => 'lost';
    let lost: LostAnswerError | null = null;
    await assert.rejects(client.act('faucet', { amount: 7 }), (error) => {
      assert.ok(error instanceof LostAnswerError);
      lost = error;
      return true;
    });
    const { envelope, transitionHash } = lost as unknown as LostAnswerError;
    proxy.interfere = () => undefined;
    const receipt = await client.send(envelope);
    assert.equal(receipt.transitionHash, transitionHash);
  });

  test('and then refused has not happened', async () => {
    await client.act('faucet', { amount: 1 });
    const answers = ['lost' as const, { status: 502 }];
    proxy.interfere = ({ body }) => (body.includes('"amount":0') ? answers.shift() : undefined);
    await assert.rejects(client.act('faucet', { amount: 0 }), { code: 'PAYLOAD_INVALID' });
  });
});
