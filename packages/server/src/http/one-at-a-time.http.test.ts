/** Requests that a connection sends before it has its answers (RFC 9112 section 9.3.2). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { HttpNode } from '@netd/testkit/http-node';
import { HTTP_LIMITS } from './limits.ts';
import { oneAtATime } from './one-at-a-time.ts';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
});
after(() => node.stop());

async function connection(): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'connect');
  return { socket, text: () => text };
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const STREAM = get('/v1/events', 'Accept: text/event-stream\r\n');
const MANY = HTTP_LIMITS.requestsAhead;

describe('requests that are sent ahead', () => {
  test('are answered in their order', async () => {
    const { socket, text } = await connection();
    const paths = Array.from({ length: MANY }, (_, i) => `/v1/state/proof?key=nobody-${i}`);
    socket.write(paths.map((path) => get(path)).join('') + get('/livez', 'Connection: close\r\n'));
    await once(socket, 'close', { signal: AbortSignal.timeout(60_000) });
    const named = [...text().matchAll(/nobody-(\d+)/g)].map(([, number]) => Number(number));
    assert.deepEqual([...new Set(named)], [...paths.keys()]);
    assert.equal(text().split('HTTP/1.1 ').length - 1, MANY + 1);
  });

  test('are each taken in a turn of their own', async () => {
    const taken: { earlier: number; turns: number }[] = [];
    let turns = 0;
    const server = createServer();
    const answer: RequestListener = (_request, response) => {
      taken.push({ earlier: taken.length, turns });
      setImmediate(() => turns++);
      response.end();
    };
    server.on(
      'request',
      oneAtATime(answer, MANY, () => {}),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(get('/').repeat(MANY));
    await until(() => taken.length === MANY);
    socket.destroy();
    server.close();
    assert.ok(
      taken.every(({ earlier, turns: over }) => over >= earlier),
      JSON.stringify(taken),
    );
  });

  test('behind a stream without an end are not answered, and not many of them kept', async () => {
    const { socket, text } = await connection();
    socket.write(STREAM + get('/metrics').repeat(MANY));
    await until(() => text().includes('netd event feed'));
    socket.write(get('/metrics'));
    await once(socket, 'close', { signal: AbortSignal.timeout(60_000) });
    assert.match((await node.get('/metrics')).text, /netd_refusals_total\{code="OVERLOADED"\} 1/);
  });
});
