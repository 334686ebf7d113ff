import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { bytesToSign, rawKeyFromPem, signatureBytes, verifySignature } from '@netd/protocol';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';
import { NetError } from './http.ts';

const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-'));
let running: RunningNode;
let client: NetClient;

before(async () => {
  running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  client = new NetClient({ url: running.url });
});
after(async () => {
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function joinAs(name: string): Promise<AgentKey> {
  const key = await AgentKey.generate();
  await client.register({ actorId: name, key });
  return key;
}

describe('a key', () => {
  test('signs the canonical envelope without its signature', async () => {
    const key = await AgentKey.generate();
    const signed = await key.sign({ b: 1, a: 'é' });
    const raw = rawKeyFromPem(key.publicKey);
    const signature = signatureBytes(signed.signature);
    assert.ok(raw && signature && verifySignature(raw, bytesToSign(signed), signature));
  });

  test('comes from PEM texts, and refuses keys other than Ed25519', async () => {
    const pair = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const key = await AgentKey.fromPem(pair);
    assert.equal(key.publicKey, pair.publicKey);
    const other = generateKeyPairSync('x25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await assert.rejects(AgentKey.fromPem(other));
  });
});

describe('a client', () => {
  test('turns a problem into an error with its code, status and locations', async () => {
    const key = await joinAs('erring');
    const action: string = 'publishBeacon';
    await assert.rejects(
      client.act({ actorId: 'erring', key }, action, { agentId: 'erring' }),
      (error: unknown) => {
        assert.ok(error instanceof NetError);
        assert.equal(error.code, 'PAYLOAD_INVALID');
        assert.equal(error.status, 409);
        assert.match(error.message, /\/payload\/endpoint is required/);
        assert.equal(error.path, '/payload/endpoint');
        assert.equal(error.hint, error.problem?.detail);
        assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
        assert.equal(error.retryAfter, null);
        return true;
      },
    );
    await assert.rejects(client.get('/v1/agents/nobody'), { code: 'AGENT_NOT_FOUND', status: 404 });
  });

  test('acts, and answers with the receipt', async () => {
    const key = await joinAs('acting');
    const receipt = await client.act({ actorId: 'acting', key }, 'extendAgentCapabilities', {
      agentId: 'acting',
      actions: ['faucet'],
    });
    assert.deepEqual(
      receipt.events.map(({ type }) => type),
      ['AgentCapabilitiesExtended'],
    );
    const known = await client.get<{ receipt: unknown }>(
      `/v1/transitions/${receipt.transitionHash}`,
    );
    assert.deepEqual(known.receipt, receipt);
  });

  test('names the genesis in a rotation and a session, which both keys sign', async () => {
    const { genesisHash } = await client.network();
    const actor = { actorId: 'rotating', key: await joinAs('rotating') };
    const key = await AgentKey.generate();
    const rotated = await client.rotateKey(actor, key);
    const sessionId = 's-1';
    const granted = await client.grantSession(
      { ...actor, key },
      { key: await AgentKey.generate(), sessionId, actions: ['acceptWork'], budget: 0 },
    );
    for (const { transitionHash } of [rotated, granted]) {
      const path = '/v1/transitions/{transitionHash}';
      const { envelope } = await client.read(path, { transitionHash });
      const { payload, ...members } = envelope as { payload: object; genesisHash?: string };
      assert.equal(members.genesisHash, genesisHash);
      assert.equal((payload as typeof members).genesisHash, genesisHash);
    }
  });

  test('retries with the same envelope if the answer is lost, so that the action happens once', async () => {
    const key = await joinAs('unlucky');
    let lost = 0;
    // Hands requests on to the node and swallows the first answer to an intent.
    const proxy = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        void (async () => {
          const answer = await fetch(running.url + String(request.url), {
            method: request.method ?? 'GET',
            ...(request.method === 'POST'
              ? { body: Buffer.concat(parts), headers: { 'content-type': 'application/json' } }
              : {}),
          });
          const text = await answer.text();
          if (request.method === 'POST' && lost++ === 0) request.socket.destroy();
          else response.writeHead(answer.status).end(text);
        })();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      const shaky = new NetClient({ url: `http://127.0.0.1:${port}` });
      const receipt = await shaky.act({ actorId: 'unlucky', key }, 'extendAgentCapabilities', {
        agentId: 'unlucky',
        actions: ['faucet'],
      });
      assert.equal(lost, 2);
      const { events } = await client.get<{ events: unknown[] }>(
        '/v1/events?agent=unlucky&type=AgentCapabilitiesExtended',
      );
      assert.equal(events.length, 1);
      assert.equal(receipt.events.length, 1);
    } finally {
      proxy.close();
    }
  });

  test('registers an agent with what it says of itself, once', async () => {
    const referrer = await joinAs('referring');
    const newcomer = { actorId: 'referred', key: await AgentKey.generate() };
    const about = { description: 'reads papers', referrerAgentId: 'referring' };
    const receipt = await client.register(newcomer, about);
    const { agent, referral } =
      await client.get<Record<string, Record<string, unknown>>>('/v1/agents/referred');
    assert.equal(agent?.['description'], 'reads papers');
    assert.deepEqual(referral, { referrerAgentId: 'referring', status: 'pending' });
    assert.ok(receipt.height > 0);
    await assert.rejects(client.register(newcomer), { code: 'AGENT_EXISTS', status: 409 });
    const thief = { actorId: 'another', key: referrer };
    await assert.rejects(client.register(thief), { code: 'KEY_ALREADY_REGISTERED' });
  });

  test('applies for a role, and claims what was approved', async () => {
    const person = { actorId: 'person', key: await AgentKey.generate() };
    const { chainId, height, open } = await client.network();
    assert.deepEqual([chainId, open], [running.node.dataDir.genesis.chainId, false]);
    const application = {
      applicationId: 'app-person',
      role: 'HUMAN' as const,
      capabilities: [{ action: 'transfer', maxAmount: 1_000 }],
      profile: {},
      expiresAtHeight: height + 100,
    };
    const approval = await client.apply(person, application);
    assert.ok(approval.events.some(({ type }) => type === 'OperatorInvitationCreated'));
    const mallory = { actorId: 'person', key: await AgentKey.generate() };
    await assert.rejects(client.claim(mallory, approval.transitionHash), { status: 409 });
    await client.claim(person, approval.transitionHash);
    await assert.rejects(client.claim(person, approval.transitionHash), { status: 409 });
    await client.act(person, 'transfer', { to: 'referring', amount: 1 }).then(
      () => assert.fail('there is nothing to send yet'),
      (error: unknown) => assert.equal((error as NetError).code, 'INSUFFICIENT_BALANCE'),
    );
  });

  test('says which status came from something that is not a node', async () => {
    const server = createServer((_request, response) => response.writeHead(502).end('bad gateway'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await assert.rejects(new NetClient({ url: `http://127.0.0.1:${port}/` }).get('/v1/network'), {
        code: 'HTTP_502',
      });
    } finally {
      server.close();
    }
  });
});
