import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { rateOf, startLoadGenerator, troubles, type Load } from './load.ts';

async function listen(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status;
  response.end(body);
}

function generator(t: TestContext): Load {
  const load = startLoadGenerator();
  t.after(() => load.stop());
  return load;
}

test('each list of bodies goes over a connection of its own, in order; refusals and failures have names', async (t) => {
  const received = new Map<unknown, string>();
  const port = await listen(t, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.set(request.socket, `${received.get(request.socket) ?? ''} ${body}`);
      if (body === 'cut') request.socket.destroy();
      else if (body === 'no') answer(response, 409, '{"code":"NONCE_USED"}');
      else if (body === 'what') answer(response, 500, 'no JSON');
      else answer(response, 201, '{}');
    });
  });
  const load = generator(t);
  assert.deepEqual(await load.call('open', { group: 'writers', port, connections: 3 }), {});
  const report = await load.call('write', {
    group: 'writers',
    path: '/',
    bodies: [
      ['a', 'no', 'b'],
      ['c', 'cut', 'never'],
      ['what', 'no'],
    ],
  });
  assert.equal(report.succeeded, 3);
  assert.deepEqual(report.refused, { NONCE_USED: 2, '500': 1 });
  assert.deepEqual(Object.values(report.failed), [1]);
  assert.deepEqual(new Set(received.values()), new Set([' a no b', ' c cut', ' what no']));
  assert.deepEqual(troubles([report, report])['refused NONCE_USED'], 4);
  assert.equal(rateOf({ ...report, seconds: 2 }), 1.5);
});

test('a number of reads is shared by all connections', async (t) => {
  const port = await listen(t, (_request, response) => response.end('{}'));
  const load = generator(t);
  await load.call('open', { group: 'readers', port, connections: 2 });
  const { succeeded } = await load.call('read', { group: 'readers', path: '/', requests: 5 });
  assert.equal(succeeded, 5);
});

test('a call that is not answered in time is given up', async (t) => {
  const port = await listen(t, () => {});
  const load = generator(t);
  await load.call('open', { group: 'readers', port, connections: 1 });
  await assert.rejects(
    load.call('read', { group: 'readers', path: '/', requests: 1 }, 0.2),
    /read took more than 0.2 s/,
  );
});
