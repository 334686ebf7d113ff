/** Events of a hired order if its node sends malformed ones. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { NetClient } from '../client.ts';
import { Hired } from './hired.ts';
import type { AgentParts } from './parts.ts';

test('one bad event is warned of, and those after it arrive', { timeout: 30_000 }, async (t) => {
  const told = [
    ['5.0', 'WorkVerified', { workerId: 'walt' }],
    ['6.0', 'WorkOrderPaid', { workerId: 'walt', paid: 7 }],
  ] as const;
  const events = told.map(([id, type, data]) => ({ id, type, height: Number.parseInt(id), data }));
  const network = {
    chainId: 'c',
    height: 6,
    blockHash: 'b'.repeat(64),
    genesisHash: 'a'.repeat(64),
  };
  const server = createServer(({ url, headers }, response) => {
    if (url === '/v1/network') response.end(JSON.stringify(network));
    else if (headers.accept === 'text/event-stream') response.write(': hello\n\n');
    else response.end(JSON.stringify({ events, next: '6.0', more: false }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ended = new AbortController();
  t.after(() => {
    ended.abort();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const warnings: string[] = [];
  const parts = {
    retryingClient: { client: new NetClient({ url }) },
    poller: { signal: ended.signal },
    events: { warn: (_error: unknown, about: string) => warnings.push(about) },
  } as unknown as AgentParts;
  const scope = {} as ConstructorParameters<typeof Hired>[1]['scope'];
  const hired = new Hired(parts, { orderId: 'o-1', scope, since: 5, receipt: null, returns: null });
  const { amount } = await new Promise<{ amount: number }>((resolve) => hired.on('paid', resolve));
  assert.equal(amount, 7);
  assert.deepEqual(warnings, ['event 5.0 of o-1']);
});
