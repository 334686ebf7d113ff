/** Clients that open connections and send nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { ERROR_TABLE, type Problem } from '@netd/protocol';
import { HttpNode } from '@netd/testkit/http-node';

const REQUEST = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

async function open(t: TestContext, { port }: HttpNode, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends a request. Returns the first chunk of the answer; empty if the connection closes. */
async function answerOn(socket: Socket): Promise<string> {
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (part: Buffer) => resolve(String(part)));
    socket.once('close', () => resolve(''));
  });
  socket.write(REQUEST);
  return answer;
}

const SHARE = 3;

describe('bound to more than this machine', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start({
      host: '0.0.0.0',
      limits: { connectionsPerAddress: SHARE, silentTime: 300_000 },
    });
  });
  after(() => node.stop());

  test('an address has its share of connections, and is told so beyond it', async (t) => {
    const taken: Socket[] = [];
    for (let i = 0; i < SHARE; i++) taken.push(await open(t, node, '127.0.0.2'));
    const refused = await answerOn(await open(t, node, '127.0.0.2'));
    assert.match(refused, /^HTTP\/1\.1 429 [^]*retry-after: 10\r\n/i);
    assert.match(refused, /connection: close\r\n/i);
    const problem = JSON.parse(refused.slice(refused.indexOf('{'))) as Problem;
    const { code, detail } = problem;
    assert.equal(code, 'RATE_LIMITED');
    assert.match(detail, /^127\.0\.0\.2 has 3 connections open, and may have no more.* in 10 s\./);
    assert.ok(detail.endsWith(ERROR_TABLE.RATE_LIMITED.advice));
    assert.match(await answerOn(await open(t, node, '127.0.0.3')), /^HTTP\/1\.1 200 /);
    for (const socket of taken) assert.match(await answerOn(socket), /^HTTP\/1\.1 200 /);
  });

  test('a connection beyond the share that says nothing is closed in a moment', async (t) => {
    for (let i = 0; i < SHARE; i++) await open(t, node, '127.0.0.4');
    const beyond = await open(t, node, '127.0.0.4');
    beyond.resume();
    await once(beyond, 'close');
  });

  test('a share is given back', async (t) => {
    for (let i = 0; i < 3 * SHARE; i++) {
      const socket = await open(t, node, '127.0.0.5');
      assert.match(await answerOn(socket), /^HTTP\/1\.1 200 /);
      socket.destroy();
      // Wait until the node knows the connection.
      await node.get('/livez');
    }
  });
});

test('connections of a believed proxy, and of this machine alone, have no share', async (t) => {
  const limits = { connectionsPerAddress: 1 };
  for (const options of [
    { host: '0.0.0.0', trustProxy: ['127.0.0.2'] },
    { host: '127.0.0.1', trustProxy: 1 },
    { host: '127.0.0.1' },
  ]) {
    const node = await HttpNode.start({ ...options, limits });
    t.after(() => node.stop());
    for (let i = 0; i < 3; i++) {
      const socket = await open(t, node, '127.0.0.2');
      assert.match(await answerOn(socket), /^HTTP\/1\.1 200 /, JSON.stringify(options));
    }
  }
});

test('closes a connection early if it never sends a byte, but not after a request', async (t) => {
  const node = await HttpNode.start({ limits: { silentTime: 1_000 } });
  t.after(() => node.stop());
  const spoken = await open(t, node, '127.0.0.1');
  assert.match(await answerOn(spoken), /^HTTP\/1\.1 200 /);
  const silent = await open(t, node, '127.0.0.1');
  // The limit for half a head would answer.
  silent.on('data', (part: Buffer) => assert.fail(String(part)));
  await once(silent, 'close');
  assert.ok(!spoken.destroyed);
});

test('reads what has arrived before it calls a connection silent', async (t) => {
  const node = await HttpNode.start({ limits: { silentTime: 1 } });
  t.after(() => node.stop());
  const socket = await open(t, node, '127.0.0.1');
  await new Promise((resolve) => setImmediate(resolve));
  const answer = answerOn(socket);
  // Block the process for longer than the interval of the checks.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  assert.match(await answer, /^HTTP\/1\.1 200 /);
});

test('half a head is not waited for as long as a request', async (t) => {
  const node = await HttpNode.start({ limits: { headTime: 100, arrivalCheckInterval: 50 } });
  t.after(() => node.stop());
  const half = await open(t, node, '127.0.0.1');
  half.write('GET /livez HTTP/1.1\r\nHo');
  let answer = '';
  for await (const part of half) answer += String(part);
  assert.match(answer, /^HTTP\/1\.1 408 .*\r\n[^]*REQUEST_TIMEOUT/);
});

test('when connections run short, those that wait for nothing make room', async (t) => {
  const node = await HttpNode.start({ limits: { connections: 8 } });
  t.after(() => node.stop());
  const idle: Socket[] = [];
  for (let i = 0; i < 8; i++) idle.push(await open(t, node, '127.0.0.1'));
  // Half of the connections are idle after an answer. The others never sent anything.
  for (const socket of idle.slice(0, 4)) assert.match(await answerOn(socket), /^HTTP\/1\.1 200 /);
  let answer = '';
  const started = performance.now();
  while (!answer.startsWith('HTTP/1.1 200 ') && performance.now() - started < 30_000) {
    answer = await answerOn(await open(t, node, '127.0.0.1'));
  }
  assert.match(answer, /^HTTP\/1\.1 200 /);
});
