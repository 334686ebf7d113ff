import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { ConnectionError, getRequest, HttpConnection } from './http-connection.ts';

const servers: Server[] = [];

after(() => {
  for (const server of servers) server.close();
});

/** A port on which every request is handed to `answer` as it comes. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('data', () => answer(socket));
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof ConnectionError && error.code === code;

test('answers follow one another on one connection, in however many pieces they come', async () => {
  const port = await listen((socket) => {
    for (const piece of ['HTTP/1.1 20', '0 OK\r\nContent-Length: 4\r', '\n\r\nab', 'cd']) {
      setImmediate(() => socket.write(piece));
    }
  });
  const connection = await HttpConnection.open(port);
  for (let round = 0; round < 3; round++) {
    const { status, body } = await connection.send(getRequest('/'));
    assert.deepEqual([status, body.toString()], [200, 'abcd']);
  }
  assert.equal(connection.failure, null);
  connection.close();
});

test('a connection that is closed without an answer fails the request by that name', async () => {
  const port = await listen((socket) => socket.end());
  const connection = await HttpConnection.open(port);
  await assert.rejects(connection.send(getRequest('/')), failsWith('CLOSED'));
  assert.equal(connection.failure, 'CLOSED');
  await assert.rejects(connection.send(getRequest('/')), failsWith('CLOSED'));
});

test('a reset in the middle of an answer fails the request by that name', async () => {
  const port = await listen((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', () => socket.resetAndDestroy());
  });
  const connection = await HttpConnection.open(port);
  await assert.rejects(connection.send(getRequest('/')), failsWith('ECONNRESET'));
});

test('an answer of unknown length is none', async () => {
  const port = await listen((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'));
  const connection = await HttpConnection.open(port);
  await assert.rejects(connection.send(getRequest('/')), failsWith('NOT_HTTP'));
});

test('nobody listening is a failure too', async () => {
  const port = await listen(() => {});
  const server = servers.pop();
  server?.close();
  await once(server ?? process, 'close');
  await assert.rejects(HttpConnection.open(port), failsWith('ECONNREFUSED'));
});
