/** Calls that a bound ends between their signature and the node's answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { hashValue, type JsonObject, type Receipt } from '@netd/protocol';
import { Agent } from './agent/agent.ts';
import { memoryHome } from './agent/leased-home.ts';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';
import { LostAnswerError } from './submission.ts';

const HASH = 'a'.repeat(64);
const STATUS = { chainId: 'net-test', height: 5, blockHash: HASH, genesisHash: HASH };
const PAY = ['transfer', { to: 'bea', amount: 1 }] as const;

/** Envelopes that the node has received. It answers none of them while `isSilent`. */
const received: JsonObject[] = [];
let isSilent = false;
let arrived = (): void => {};

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'POST') return take(Buffer.concat(parts).toString(), response);
    if (request.url === '/v1/network') return response.end(JSON.stringify(STATUS));
    if (request.url?.includes('/agents/') !== true) {
      return response.end(JSON.stringify({ ...STATUS, beacons: [], nextCursor: null }));
    }
    return response.writeHead(404).end(JSON.stringify({ code: 'X', title: 't', detail: 'd' }));
  });
});

function take(text: string, response: ServerResponse): void {
  const envelope = JSON.parse(text) as JsonObject;
  received.push(envelope);
  arrived();
  if (isSilent) return;
  response.end(JSON.stringify({ receipt: { transitionHash: hashValue(envelope), height: 5 } }));
}

/** Resolves once the node has the next envelope, and has not answered. */
const nextEnvelope = async (): Promise<void> => {
  isSilent = true;
  await new Promise<void>((resolve) => (arrived = resolve));
};

let url: string;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close().closeAllConnections());
beforeEach(() => {
  isSilent = false;
  received.length = 0;
});

const codeAndData = async (call: Promise<unknown>): Promise<{ code: string; id: string }> => {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (why: unknown) => why as { code: string; data: { id: string } },
  );
  return { code: error.code, id: error.data.id };
};

describe('an act that its signal ends after it was sent', () => {
  const open = (home = memoryHome()): Promise<Agent> =>
    Agent.open('ada', { url, home, beacon: false, memory: false, log: false });

  for (const given of [undefined, 'rent']) {
    it(`happens once by ${given === undefined ? 'the id of the error' : 'its own id'}`, async () => {
      const home = memoryHome();
      const agent = await open(home);
      received.length = 0;
      const abort = new AbortController();
      const options = given === undefined ? {} : { id: given };
      const sent = nextEnvelope();
      const paying = codeAndData(agent.act(...PAY, { ...options, signal: abort.signal }));
      await sent;
      abort.abort();
      const { code, id } = await paying;
      assert.equal(code, 'CALL_ABORTED');
      if (given !== undefined) assert.equal(id, given);
      await agent.stop();
      isSilent = false;
      // The next process has only the state.
      const next = await open(home);
      const receipt = await next.act(...PAY, { id });
      await next.stop();
      const payments = received.filter(({ action }) => action === 'transfer');
      assert.deepEqual(new Set(payments.map(hashValue)), new Set([receipt.transitionHash]));
    });
  }

  it('is not sent again in the background', async () => {
    const agent = await open();
    received.length = 0;
    const sent = nextEnvelope();
    const paying = codeAndData(agent.act(...PAY, { timeout: 200 }));
    await sent;
    assert.equal((await paying).code, 'CALL_TIMEOUT');
    server.closeAllConnections();
    isSilent = false;
    await agent.act('transfer', { to: 'carl', amount: 2 });
    await agent.stop();
    assert.equal(received.length, 2);
  });

  it('is neither signed nor sent if the signal aborts earlier', async () => {
    const agent = await open();
    received.length = 0;
    const abort = new AbortController();
    const paying = codeAndData(agent.act(...PAY, { id: 'rent', signal: abort.signal }));
    abort.abort();
    assert.equal((await paying).code, 'CALL_ABORTED');
    await agent.act('transfer', { to: 'carl', amount: 2 });
    assert.equal(received.length, 1);
    // The id is free: nothing was stored under it.
    await agent.act('transfer', { to: 'dora', amount: 3 }, { id: 'rent' });
    await agent.stop();
  });
});

describe('an act of a plain client', () => {
  it('ends with its envelope once it was sent', async () => {
    const client = new NetClient({
      url,
      actor: { actorId: 'ada', key: await AgentKey.generate() },
    });
    const sent = nextEnvelope();
    const paying = client.act(...PAY, { timeout: 200 }).catch((error: unknown) => error);
    await sent;
    const error = await paying;
    assert.ok(error instanceof LostAnswerError);
    isSilent = false;
    const receipt: Receipt = await client.send(error.envelope);
    assert.equal(receipt.transitionHash, error.transitionHash);
    assert.equal(new Set(received.map(hashValue)).size, 1);
  });

  it('ends without one if nothing was sent', async () => {
    const client = new NetClient({
      url,
      actor: { actorId: 'ada', key: await AgentKey.generate() },
    });
    const abort = new AbortController();
    const paying = client.act(...PAY, { signal: abort.signal });
    abort.abort();
    await assert.rejects(paying, { code: 'CALL_ABORTED' });
    assert.deepEqual(received, []);
  });
});
