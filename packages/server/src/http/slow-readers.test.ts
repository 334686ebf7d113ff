/** Readers that do not receive their answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { HttpNode } from '@netd/testkit/http-node';
import { HTTP_LIMITS } from './limits.ts';
import { SlowReaders } from './slow-readers.ts';

/** More than the system buffers of a connection hold. */
const LARGE = 64 * 1024 * 1024;
const TIME = 1_000;
const RATE = 1_024 * 1_024;
/** The time at which the large answer must have been received. */
const DEADLINE = TIME + (LARGE / RATE) * 1_000;

describe('a connection', () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let readers: SlowReaders;
  let closed = 0;
  let client: Socket;
  let accepted: Socket;

  before(async () => {
    server = createServer((_request, response) => response.end(Buffer.alloc(LARGE)));
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  beforeEach(async () => {
    closed = 0;
    // It checks only when the test calls it.
    const limits = { ...HTTP_LIMITS, answerTime: TIME, answerRate: RATE };
    readers = new SlowReaders({ ...limits, answerCheckInterval: 2 ** 30 }, () => closed++);
    readers.watch(server);
    sockets.clear();
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => {});
    client.pause();
    await until(() => sockets.size === 1);
    [accepted] = sockets as unknown as [Socket];
  });

  async function ask(): Promise<void> {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => accepted.writableLength > 0);
  }

  async function takeEverything(): Promise<void> {
    client.resume();
    await until(() => accepted.writableLength === 0);
    client.pause();
  }

  test('that does not take its answer is closed, not before it had the time for its size', async () => {
    await ask();
    readers.check(0);
    readers.check(DEADLINE);
    assert.equal(closed, 0);
    assert.equal(accepted.destroyed, false);
    readers.check(DEADLINE + 1_000);
    assert.equal(closed, 1);
    assert.equal(accepted.destroyed, true);
  });

  test('that waits for a request is left alone', () => {
    readers.check(0);
    readers.check(1e9);
    assert.equal(closed, 0);
    client.destroy();
  });

  test('has its time for every answer anew', async () => {
    await ask();
    readers.check(0);
    await takeEverything();
    readers.check(DEADLINE - 1);
    await ask();
    readers.check(DEADLINE);
    readers.check(2 * DEADLINE);
    assert.equal(closed, 0);
    readers.check(2 * DEADLINE + 1_000);
    assert.equal(closed, 1);
  });

  test('is closed early if all together hold too much, the one slow for longest first', async (t) => {
    const limits = { ...HTTP_LIMITS, answerTime: 1e9, answerCheckInterval: 2 ** 30 };
    const together = new SlowReaders({ ...limits, unsentBytes: 1.25 * LARGE }, () => closed++);
    together.watch(server);
    const clients: Socket[] = [client];
    t.after(() => clients.forEach((one) => one.destroy()));
    /**
     * Sends a request on a new connection.
     * @returns the server's end of that connection
     */
    const another = async (): Promise<Socket> => {
      const known = new Set(sockets);
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      clients.push(socket);
      socket.on('error', () => {});
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(() => sockets.size > known.size);
      const found = [...sockets].find((one) => !known.has(one))!;
      await until(() => found.writableLength > 0);
      return found;
    };
    const first = await another();
    together.check(0);
    assert.equal(first.destroyed, false);
    const second = await another();
    together.check(1);
    assert.deepEqual([first.destroyed, second.destroyed, closed], [true, false, 1]);
    together.check(2);
    assert.deepEqual([second.destroyed, closed], [false, 1]);
  });

  test('with a rule of its own is left alone', async () => {
    readers.exempt(accepted);
    await ask();
    readers.check(0);
    readers.check(1e9);
    assert.equal(closed, 0);
    client.destroy();
  });
});

test('a node closes who does not read, counts it, and answers the others', async (t) => {
  const node = await HttpNode.start({
    limits: { answerTime: 10, answerRate: 2 ** 30, answerCheckInterval: 10 },
  });
  t.after(() => node.stop());
  const client = connect(node.port, '127.0.0.1');
  t.after(() => client.destroy());
  client.pause();
  // Repeat the request until the system's buffers are full.
  client.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  // A client that does not read notices the closed connection only when it writes.
  const writing = setInterval(() => client.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'), 50);
  t.after(() => clearInterval(writing));
  await once(client, 'error');
  const metrics = await node.get('/metrics');
  assert.match(metrics.text, /^netd_slow_readers_closed_total 1$/m);
});
