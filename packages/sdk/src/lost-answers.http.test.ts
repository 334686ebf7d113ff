/** Answers that never arrive. Slow: the client waits before it asks again. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import type { NetClient } from './client.ts';
import { LostAnswerError } from './submission.ts';
import { startRecordedNode, type RecordedNode } from './testing/recorded-node.ts';
import type { RecordingProxy } from './testing/recording-proxy.ts';

let node: RecordedNode;
let proxy: RecordingProxy;
let client: NetClient;

before(async () => {
  node = await startRecordedNode();
  ({ proxy } = node);
  await node.direct.act('extendAgentCapabilities', { actions: ['faucet'] });
});
beforeEach(() => {
  client = node.freshClient();
});
after(() => node.stop());

describe('an answer that is lost', () => {
  test('is asked for again, and the action happens once', async () => {
    let lost = 0;
    proxy.interfere = ({ path }) => (path === '/v1/intents' && lost++ < 2 ? 'lost' : undefined);
    const receipt = await client.act('faucet', { amount: 5 });
    assert.equal(new Set(node.sentIntents().map(({ nonce }) => nonce)).size, 1);
    assert.equal(node.sentIntents().length, 3);
    const paid = await client.get<{ events: { id: string; data: JsonObject }[] }>(
      '/v1/events?agent=ada&type=FaucetPaid',
    );
    assert.deepEqual(
      paid.events.map(({ id }) => id),
      receipt.events.map(({ id }) => id),
    );
  });

  test('for good is an error whose envelope can be sent again later', async () => {
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
