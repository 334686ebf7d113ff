/** The answers of a follower while it fetches its state, and the connections that stay open afterwards. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { freePort } from '@netd/testkit/free-port';
import { startGolden } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';
import { serveFollower, type ServeFollowerOptions } from '@netd/node';

let writer: HttpNode;
before(async () => {
  writer = await startGolden();
});
after(() => writer.stop());

/** Starts an origin that delays its answers to `path` until `letGo` is called. */
async function slowOrigin(t: TestContext, path: RegExp): Promise<Slow> {
  const proxy = await TamperingProxy.before(writer.url);
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  t.after(() => {
    letGo();
    proxy.close();
  });
  const slow: Slow = { url: proxy.url, asked: 0, letGo };
  proxy.tamper = async (asked, document) => {
    if (!path.test(asked)) return document;
    slow.asked++;
    await open;
    return document;
  };
  return slow;
}

interface Slow {
  url: string;
  asked: number;
  letGo: () => void;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  document: Record<string, unknown>;
  /** The address of this end: requests on the same connection have the same. */
  localPort: number;
}

async function ask(
  port: number,
  path: string,
  { method = 'GET', agent, body }: { method?: string; agent?: Agent; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers, ...(agent ? { agent } : {}) },
      (response) => {
        const { localPort = 0 } = response.socket;
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const document = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
          const { statusCode: status = 0, headers: told } = response;
          resolve({ status, headers: told, document, localPort });
        });
      },
    );
    asked.on('error', reject).end(body);
  });
}

const optionsOf = (port: number, origin: string, dataDir: string): ServeFollowerOptions => ({
  host: '127.0.0.1',
  port,
  dataDir,
  origins: [origin],
  from: 'checkpoint',
});

test('while its state is fetched a follower lives, says how far it is, and keeps its connections', async (t) => {
  const [port, slow] = [await freePort(), await slowOrigin(t, /\/v1\/state\/chunks\//)];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const starting = serveFollower(optionsOf(port, slow.url, tempDir(t)));
  await until(() => slow.asked > 0);
  const live = await ask(port, '/livez', { agent });
  assert.equal(live.status, 200);
  assert.deepEqual(live.document, {
    schema: 'NET-LIVENESS/1',
    chainId: writer.running.node.chain.identity.chainId,
    status: 'live',
  });
  assert.equal((await ask(port, '/livez', { method: 'HEAD' })).status, 200);
  for (const path of ['/readyz', '/health', '/v1/network', '/metrics', '/nowhere', '/']) {
    const { status, headers, document } = await ask(port, path, { agent });
    assert.deepEqual([status, document['code']], [503, 'NODE_NOT_READY'], path);
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(headers['retry-after'], '5');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-request-id'], document['requestId']);
    const said = String(document['detail']);
    assert.match(
      said,
      /^This follower restores the state of height \d+; step 1 of 3, downloading a state; 0 of [\d.]+ MB, 0 %; how long it takes is not known yet\. /,
    );
  }
  const body = '{"not":"read"}';
  const write = await ask(port, '/v1/intents', { method: 'POST', agent, body });
  assert.deepEqual([write.status, write.document['code']], [503, 'NODE_NOT_READY']);
  // Protocols with their own errors use them here, too.
  const mcp = await ask(port, '/mcp', { method: 'POST', agent, body });
  assert.equal(mcp.status, 503);
  assert.equal(mcp.document['jsonrpc'], '2.0');
  const preflight = await ask(port, '/v1/intents', { method: 'OPTIONS', agent });
  assert.deepEqual(
    [preflight.status, preflight.headers['access-control-allow-origin']],
    [204, '*'],
  );
  slow.letGo();
  const follower = await starting;
  t.after(() => follower.stop());
  assert.equal(follower.url, `http://127.0.0.1:${port}`);
  const ready = await ask(port, '/readyz', { agent });
  assert.equal(ready.status, 200);
  assert.equal(ready.localPort, live.localPort, 'on the connection from before');
  const metrics = await (await fetch(`${follower.url}/metrics`)).text();
  assert.match(metrics, /code="NODE_NOT_READY"\} [1-9]/);
});

test('refuses no connection while the node takes over', async (t) => {
  const [port, slow] = [await freePort(), await slowOrigin(t, /\/v1\/state\/chunks\//)];
  const starting = serveFollower(optionsOf(port, slow.url, tempDir(t)));
  await until(() => slow.asked > 0);
  const over = new AbortController();
  const statuses = new Set<number>();
  const asking = Array.from({ length: 4 }, async (_, index) => {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    while (!over.signal.aborted) {
      statuses.add((await ask(port, '/livez', { agent })).status);
      statuses.add((await ask(port, '/readyz', { agent })).status);
    }
    agent.destroy();
  });
  await until(() => statuses.has(503));
  slow.letGo();
  const follower = await starting;
  t.after(() => follower.stop());
  await until(() => statuses.size === 2);
  over.abort();
  await Promise.all(asking);
  assert.deepEqual(statuses, new Set([200, 503]));
});

test('a signal ends a restore at once, and the next start goes on with what was fetched', async (t) => {
  const dataDir = tempDir(t);
  const [port, slow] = [await freePort(), await slowOrigin(t, /\/v1\/state\/chunks\//)];
  const end = new AbortController();
  const starting = serveFollower({ ...optionsOf(port, slow.url, dataDir), signal: end.signal });
  const refused = assert.rejects(starting, { name: 'AbortError' });
  await until(() => slow.asked > 0);
  end.abort();
  await refused;
  await assert.rejects(ask(port, '/livez'), { code: 'ECONNREFUSED' });
  assert.ok(existsSync(join(dataDir, 'restore', 'checkpoint')), 'what was begun is there');
  assert.equal(existsSync(join(dataDir, 'chain')), false);
  const follower = await serveFollower(optionsOf(port, writer.url, dataDir));
  t.after(() => follower.stop());
  assert.equal(follower.node.chain.height, writer.height);
});

test('a port that is in use is said before anybody is asked for anything', async (t) => {
  const slow = await slowOrigin(t, /./);
  const taken = Number(new URL(writer.url).port);
  await assert.rejects(serveFollower(optionsOf(taken, slow.url, tempDir(t))), {
    name: 'ServeError',
    message: /port \d+ on 127\.0\.0\.1 is in use/,
  });
  assert.equal(slow.asked, 0);
});

test('an origin that says nothing holds up neither who looks after the follower nor its end', async (t) => {
  const [port, slow] = [await freePort(), await slowOrigin(t, /./)];
  const end = new AbortController();
  const starting = serveFollower({ ...optionsOf(port, slow.url, tempDir(t)), signal: end.signal });
  const refused = assert.rejects(starting, { name: 'AbortError' });
  await until(() => slow.asked > 0);
  const { status, document } = await ask(port, '/livez');
  assert.deepEqual([status, document], [200, { schema: 'NET-LIVENESS/1', status: 'live' }]);
  const { document: problem } = await ask(port, '/health');
  assert.match(
    String(problem['detail']),
    /^This follower asks its origins which chain they have\. /,
  );
  end.abort();
  await refused;
});

test('a follower that executes block after block serves what it has, and says how far behind it is', async (t) => {
  const slow = await slowOrigin(t, /\/v1\/blocks\/(?!0$)/);
  const options = optionsOf(0, slow.url, tempDir(t));
  const follower = await serveFollower({ ...options, from: 'genesis' });
  t.after(() => follower.stop());
  await until(() => slow.asked > 0);
  const port = Number(new URL(follower.url).port);
  assert.equal((await ask(port, '/livez')).status, 200);
  assert.equal((await ask(port, '/readyz')).status, 200);
  const behind = async (): Promise<number | null> => {
    const { document } = await ask(port, '/health');
    return (document['following'] as { behind: number | null }).behind;
  };
  while ((await behind()) === null);
  assert.equal(await behind(), writer.height);
  assert.equal((await ask(port, '/v1/network')).document['height'], 0);
});
