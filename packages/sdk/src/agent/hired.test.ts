/** Events of a hired order if its node sends malformed ones, and the check of a result that is not awaited. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { NetClient } from '../client.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { Hired, untakenOf } from './hired.ts';
import type { AgentParts } from './parts.ts';
import { Poller } from './poller.ts';
import { typeOf } from './testing/type-of.ts';

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

const ORDER = {
  orderId: 'o-1',
  status: 'VERIFYING',
  phase: 'VERIFIED',
  workerId: 'walt',
  result: { deliverableHash: 'c'.repeat(64) },
};

/** Starts the check of a typed result whose order and bytes the test gives. Time passes as `pass` says. */
function checked(
  t: TestContext,
  order: () => object,
  blobOf: () => Promise<Uint8Array>,
): { warnings: (string | null)[]; poller: Poller; pass: (milliseconds: number) => Promise<void> } {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const warnings: (string | null)[] = [];
  const poller = new Poller(new AbortController().signal);
  const parts = {
    agentId: 'rosa',
    retryingClient: { order: async () => order() },
    peers: { blobOf },
    poller,
    time: { now: () => 0 },
    watch: async () => {},
    events: { warn: (error: unknown) => warnings.push(codeOf(error)) },
  } as unknown as AgentParts;
  const scope = {} as ConstructorParameters<typeof Hired>[1]['scope'];
  const returns = typeOf({ type: 'object' });
  void new Hired(parts, { orderId: 'o-1', scope, since: 5, receipt: null, returns, isNew: true });
  const pass = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= 250) {
      await new Promise((resolve) => void setImmediate(resolve));
      t.mock.timers.tick(250);
    }
    await new Promise((resolve) => void setImmediate(resolve));
  };
  return { warnings, poller, pass };
}

test('a result that no store gives is fetched a few times, and then reported', async (t) => {
  let asked = 0;
  const { warnings, pass } = checked(
    t,
    () => ORDER,
    async () => {
      asked++;
      throw new AgentError('BLOB_UNAVAILABLE', 'c');
    },
  );
  await pass(5_000);
  assert.ok(asked > 1);
  assert.deepEqual(warnings, []);
  await pass(300_000);
  assert.deepEqual([asked, warnings], [8, ['RESULT_UNREAD']]);
});

test('a result that a store gives late is checked, and its type warns', async (t) => {
  let asked = 0;
  const { warnings, pass } = checked(
    t,
    () => ORDER,
    async () => {
      if (++asked === 1) throw new AgentError('BLOB_NOT_FOUND', 'c');
      return new TextEncoder().encode('no json');
    },
  );
  await pass(60_000);
  assert.deepEqual([asked, warnings], [2, ['RESULT_UNPARSED']]);
});

test('events of other orders do not make the check read its order each time', async (t) => {
  let reads = 0;
  const { poller, pass } = checked(
    t,
    () => {
      reads++;
      return { ...ORDER, status: 'ACCEPTED', phase: 'WORK', result: null };
    },
    async () => new Uint8Array(),
  );
  for (let wakes = 0; wakes < 40; wakes++) {
    poller.wake();
    await pass(250);
  }
  assert.ok(reads >= 5 && reads <= 12, `${reads} reads in ten seconds`);
});

test('the error of a timeout names the worker that gave the order back', () => {
  const open = (releasedBy: string[]): Hired => ({ open: { ...ORDER, releasedBy } }) as never;
  assert.match(untakenOf(open([])), /no agent has accepted o-1 yet/);
  assert.match(untakenOf(open(['ada', 'bo'])), /bo has given o-1 back, and no other agent/);
  assert.equal(untakenOf({ open: null } as never), '');
});
