/** The join client as a visitor gets it, and the JavaScript SDK. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  bytesToSign,
  hashValue,
  rawKeyFromPem,
  signatureBytes,
  verifySignature,
} from '@netd/protocol';
import type { JsonObject } from '@netd/protocol';
import * as sdk from '@netd/sdk';
import { AgentKey, NetClient } from '@netd/sdk';
import { check } from '../check.ts';
import { expectMember, expectErrorPath, mentions, textOf } from '../expect.ts';
import type { Network } from '../network.ts';

const run = promisify(execFile);

interface Joined {
  actorId: string;
  output: string;
  sent: { path: string; body: string }[];
  keyFile: string;
  keyText: string;
}

/** Runs the downloaded client through a proxy that records its requests. */
const joined = (net: Network): Promise<Joined> =>
  net.once('join client', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
    const sent: Joined['sent'] = [];
    const proxy = createServer((request, response) => {
      void forward(net.writer, request, response, sent);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = proxy.address() as AddressInfo;
      const client = join(directory, 'net-join.mjs');
      const { status, text } = await net.http.get('/downloads/net-join.mjs');
      assert.equal(status, 200);
      writeFileSync(client, text);
      const actorId = net.fresh('visitor');
      const keyDir = join(directory, 'keys');
      const { stdout } = await run(
        process.execPath,
        [client, actorId, 'came to look', '--url', `http://127.0.0.1:${port}`, '--key-dir', keyDir],
        { timeout: 60_000 },
      );
      await net.http.heard();
      const keyFile = /\S+\.json/.exec(stdout.slice(stdout.indexOf(keyDir)))?.[0] ?? '';
      const keyText = readFileSync(keyFile, 'utf8');
      assert.equal(statSync(keyFile).mode & 0o077, 0, 'others can read the key file');
      return { actorId, output: stdout, sent, keyFile, keyText };
    } finally {
      proxy.close();
      proxy.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    }
  });

async function forward(
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
  sent: Joined['sent'],
): Promise<void> {
  try {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    if (request.method === 'POST') sent.push({ path: textOf(request.url), body });
    const answer = await fetch(url + textOf(request.url), {
      method: request.method ?? 'GET',
      ...(request.method === 'POST'
        ? { body, headers: { 'content-type': 'application/json' } }
        : {}),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  } catch {
    response.destroy();
  }
}

export const CLIENT_CHECKS = [
  check(
    'the join client is one file without dependencies, and joins by itself',
    [
      'discovery.join-client',
      'client.join.arguments',
      'client.join.one-request',
      'client.join.reports-height',
      'client.join.reports-routes',
      'client.join.reports-key',
    ],
    async (net) => {
      const { text } = await net.http.get('/downloads/net-join.mjs');
      for (const [, from = ''] of text.matchAll(/^(?:import|\} from).*?['"]([^'"]+)['"];$/gm)) {
        assert.match(from, /^node:/);
      }
      const { actorId, output, sent, keyFile } = await joined(net);
      assert.deepEqual(
        sent.map(({ path }) => path),
        ['/v1/agents/register'],
      );
      const agent = await net.http.document(`/v1/agents/${actorId}`);
      assert.ok(mentions(agent, 'came to look'), 'the description was not taken over');
      const { height } = expectMember(agent, /^registeredAt$/, 'its height') as { height: number };
      assert.match(output, new RegExp(`\\b${height}\\b`), 'the committed height is not reported');
      assert.ok(output.includes(`/v1/agents/${actorId}`), 'no route to read the agent back');
      assert.ok(output.includes(keyFile), 'it does not name the path of the key');
    },
  ),

  check(
    'the join client keeps its key, and names no owner',
    ['client.join.keeps-key', 'service.onboarding.no-private-key', 'service.onboarding.no-owner'],
    async (net) => {
      const { sent, keyText } = await joined(net);
      const key = JSON.parse(keyText) as { privateKey: string };
      const secret = key.privateKey.replaceAll(/-----[A-Z ]+-----|\s/g, '');
      const seed = Buffer.from(secret, 'base64').subarray(-32);
      for (const { body } of sent) {
        for (const form of [secret, seed.toString('hex'), seed.toString('base64')]) {
          assert.ok(!body.includes(form), 'the private key was sent');
        }
        assert.doesNotMatch(body, /owner|private/i);
      }
    },
  ),

  check(
    'the SDK reads, signs and submits',
    ['client.js.construction', 'client.js.reads', 'client.js.act', 'auth.intents'],
    async (net) => {
      const { actorId, key } = await net.agent('uses-sdk');
      const client = new NetClient({ url: net.writer, actor: { actorId, key } });
      const { chainId } = await client.network();
      assert.equal(chainId, (await net.status()).chainId);
      assert.equal(
        (await client.read('/v1/agents/{agentId}', { agentId: actorId })).chainId,
        chainId,
      );
      const receipt = await client.act('extendAgentCapabilities', {
        agentId: actorId,
        actions: ['faucet'],
      });
      const known = await client.get(`/v1/transitions/${receipt.transitionHash}`);
      assert.ok(mentions(known, actorId));
      await assert.rejects(client.act('faucet', { amount: 0 }), {
        code: 'PAYLOAD_INVALID',
      });
    },
  ),

  check(
    'the SDK reads the trust report, and compares it with those of other origins',
    ['client.js.reads', 'client.js.compare'],
    async (net) => {
      const client = new NetClient({ url: net.url });
      const report = await client.agentTrust();
      assert.equal(report.schema, 'NET-AGENT-TRUST-REPORT/1');
      // A second address of the same node never disagrees; an absent one never agrees.
      const proxy = createServer((request, response) => {
        void forward(net.url, request, response, []);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      const again = `http://127.0.0.1:${port}`;
      try {
        const { verdict, conflicts } = await client.compareTrustReports([again]);
        assert.deepEqual([verdict, conflicts], ['agree', []]);
      } finally {
        proxy.close();
        proxy.closeAllConnections();
      }
      const { verdict, origins } = await client.compareTrustReports([again]);
      assert.deepEqual([verdict, origins[1]?.status], ['incomplete', 'unreachable']);
    },
  ),

  check(
    'hashes and signatures are those of the shared vectors, and what the node checks',
    ['client.shared-vectors', 'client.no-root-secret', 'registration.publicKeyHash'],
    async (net) => {
      assert.equal(hashValue({ b: 1, a: 'é' }), await independentHash('{"a":"é","b":1}'));
      const key = await AgentKey.generate();
      const envelope = await net.registration(net.fresh('vector'), key);
      const raw = rawKeyFromPem(key.publicKey);
      const signature = signatureBytes(textOf(envelope['signature']));
      assert.ok(raw && signature && verifySignature(raw, bytesToSign(envelope), signature));
      assert.equal(key.publicKeyHash, await independentHash(JSON.stringify(key.publicKey)));
      // The secret must not be readable or serializable.
      assert.doesNotMatch(JSON.stringify(key), /private(?!Key":\{\})|PRIVATE/);
      // Exports may be code and public tables such as the error codes, never a secret.
      const { AGENT_ERROR_TABLE, AGENT_HEALTH_TABLE, ...code } = sdk;
      const tables = JSON.stringify([AGENT_ERROR_TABLE, AGENT_HEALTH_TABLE]);
      assert.doesNotMatch(tables, /PRIVATE KEY|[A-Za-z0-9+/_-]{43}/);
      for (const [name, value] of Object.entries(code)) {
        assert.equal(typeof value, 'function', `${name} is exported, and is no code`);
      }
      const answer = await net.http.post('/v1/agents/register', without(envelope, 'signature'));
      expectErrorPath(answer, '/signature');
    },
  ),
];

const without = (envelope: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== member));

async function independentHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest).toString('hex');
}
