/** Reader threads return the same bytes as the ledger's thread, and their work is bounded. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { ApiError, type Snapshot } from '@netd/engine';
import type { ChainHarness } from '@netd/testkit/chain-harness';
import { documentRequests } from '@netd/testkit/document-requests';
import { HttpNode } from '@netd/testkit/http-node';
import { openPopulated } from '@netd/testkit/populated-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { EVENT_PAGE } from '@netd/documents';
import { encodeContent } from './encoded-document.ts';
import { ReadAbandonedError, ReaderPool } from './reader-pool.ts';
import { BLOCK, ReadQuery, renderQuery } from './read-query.ts';

let harness: ChainHarness;
let pool: ReaderPool;
// Readers open the database by its path, so delete it only after the tests.
const path = join(tempDir({ after }), 'chain');
before(async () => {
  harness = await openPopulated({ path });
  pool = new ReaderPool(harness.store.path, { waitingReads: 1_000 });
});
after(async () => {
  await pool.close();
  await harness.close();
});

describe('a reader thread', () => {
  const here = <Result>(work: (snapshot: Snapshot) => Result): Result => {
    const snapshot = harness.store.snapshot();
    try {
      return work(snapshot);
    } finally {
      snapshot.close();
    }
  };

  test('makes every read document, every block and the feed to the same bytes', async () => {
    const heights = Array.from({ length: harness.chain.height + 1 }, (_, height) => height);
    const readings = [
      ...documentRequests().map(
        ({ document, parameters }) => new ReadQuery(document.name, parameters),
      ),
      ...heights.map((height) => new ReadQuery(BLOCK, { height })),
      ...[{}, { limit: 7 }, { after: '3.0', limit: 1_000 }, { agent: 'alice' }].map(
        (query) => new ReadQuery(EVENT_PAGE, query),
      ),
    ];
    assert.ok(readings.length > 100);
    const { height } = harness.chain;
    const theirs = await Promise.all(
      readings.map(({ name, parameters }) => pool.read({ name, parameters, height })),
    );
    for (const [index, reading] of readings.entries()) {
      const mine = encodeContent(here((snapshot) => renderQuery(snapshot, reading)));
      const { content, height: at } = theirs[index]!;
      assert.equal(at, height);
      assert.deepEqual(
        { ...content },
        mine,
        `${reading.name} ${JSON.stringify(reading.parameters)}`,
      );
    }
  });

  test('sees every block as soon as the chain has it', async () => {
    for (let round = 0; round < 20; round++) {
      await harness.join(`late-${round}`);
      const { height } = harness.chain;
      const [one, two] = await Promise.all(
        [1, 2].map(() =>
          pool.read({ name: 'NET-AGENT/1', parameters: { agentId: `late-${round}` }, height }),
        ),
      );
      assert.equal(one!.height, height);
      assert.deepEqual(one, two);
    }
  });

  test('refuses as the document does, and fails alone', async () => {
    const { height } = harness.chain;
    const parameters = { agentId: 'nobody' };
    await assert.rejects(pool.read({ name: 'NET-AGENT/1', parameters, height }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'AGENT_NOT_FOUND');
      return true;
    });
    await assert.rejects(pool.read({ name: 'NET-NOTHING/1', parameters, height }), /no read/);
    await assert.rejects(
      pool.read({ name: 'NET-AGENT/1', parameters, height: height + 1 }),
      /not to be seen yet/,
    );
    await pool.read({ name: 'NET-AGENT/1', parameters: { agentId: 'alice' }, height });
  });

  test('turns away what it has no room for', async () => {
    const small = new ReaderPool(harness.store.path, { waitingReads: 3 });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        small.read({ name: 'NET-AGENT-REGISTRY/1', parameters: {}, height: 0 }),
      ),
    );
    assert.deepEqual(
      results.map((result) =>
        result.status === 'rejected' ? (result.reason as ApiError).code : 'made',
      ),
      ['made', 'made', 'made', 'OVERLOADED', 'OVERLOADED'],
    );
    await small.close();
  });

  test('answers what it has before it is closed, and leaves no reader in the database', async () => {
    for (let round = 0; round < 3; round++) {
      const hurried = new ReaderPool(harness.store.path, { waitingReads: 1_000 });
      const reads = Array.from({ length: 50 }, () =>
        hurried.read({ name: 'NET-AGENT-REGISTRY/1', parameters: {}, height: 0 }),
      );
      await reads[round];
      await hurried.close();
      await Promise.all(reads);
      await harness.join(`after-${round}`);
    }
    here((snapshot) => assert.ok(snapshot.get('agent', 'after-2')));
  });
});

describe('a reader thread that dies', () => {
  const mortal = (): ReaderPool =>
    new ReaderPool(
      harness.store.path,
      { waitingReads: 1_000 },
      new URL(import.meta.resolve('@netd/testkit/crashing-reader')),
    );
  const innocent = { name: 'NET-AGENT/1', parameters: { agentId: 'alice' }, height: 0 };
  /** Returns a read that kills this many threads. */
  const deadly = (threads: number) => ({
    ...innocent,
    parameters: { ...innocent.parameters, deadlyFor: new Int32Array(sharedInts([threads])) },
  });

  test('in the middle of a read is replaced, and everybody is answered', async () => {
    const mine = mortal();
    const expected = await mine.read(innocent);
    const reads = [deadly(1), ...Array.from({ length: 20 }, () => innocent), deadly(1)];
    const made = await Promise.all(reads.map((request) => mine.read(request)));
    for (const one of made) assert.deepEqual(one, expected);
    assert.equal(mine.waiting, 0);
    await mine.close();
  });

  test('of one read again and again fails no other read', async () => {
    const mine = mortal();
    const results = await Promise.allSettled(
      [innocent, deadly(9), innocent, deadly(9), innocent].map((request) => mine.read(request)),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.match(String((results[1] as PromiseRejectedResult).reason), /reader has ended/);
    await mine.close();
  });

  test('leaves the exit of the process and the closing of the pool nothing to wait for', async () => {
    const mine = mortal();
    await assert.rejects(mine.read(deadly(9)), /reader has ended/);
    await mine.close();
    assert.equal(mine.waiting, 0);
  });
});

describe('a waiting read', () => {
  const request = (limit: number) => ({
    name: 'NET-AGENT-REGISTRY/1',
    parameters: { limit },
    height: 0,
  });
  const codesOf = (results: readonly PromiseSettledResult<unknown>[]): string[] =>
    results.map((result) => {
      if (result.status === 'fulfilled') return 'made';
      const { reason } = result as { reason: Error };
      return reason instanceof ApiError ? reason.code : reason.name;
    });

  test('is taken in turns by address, however much one address has', async () => {
    const mine = new ReaderPool(harness.store.path, { waitingReads: 1_000 });
    const order: string[] = [];
    const ask = async (share: string, limit: number): Promise<void> => {
      await mine.read(request(limit), { share });
      order.push(share);
    };
    const flood = Array.from({ length: 50 }, (_, index) => ask('many', index + 1));
    await Promise.all([...flood, ask('few', 100), ask('one', 101)]);
    assert.equal(order.length, 52);
    // With several threads, running reads finish first.
    assert.ok(order.indexOf('few') < 20 && order.indexOf('one') < 20, order.join(' '));
    await mine.close();
  });

  test('of the address that has most makes room for others, never for itself', async () => {
    const mine = new ReaderPool(harness.store.path, { waitingReads: 10 });
    const ask = (share: string, count: number) =>
      Array.from({ length: count }, (_, index) => mine.read(request(index + 1), { share }));
    const many = ask('many', 12);
    const few = ask('few', 2);
    const settled = [await Promise.allSettled(many), await Promise.allSettled(few)].map(codesOf);
    assert.deepEqual(settled, [
      [...Array<string>(8).fill('made'), ...Array<string>(4).fill('OVERLOADED')],
      ['made', 'made'],
    ]);
    await mine.close();
  });

  test('is dropped if its client has gone, and leaves its room to others', async () => {
    const mine = new ReaderPool(harness.store.path, { waitingReads: 30 });
    const gone = new AbortController();
    const left = Array.from({ length: 29 }, (_, index) =>
      mine.read(request(index + 1), { signal: gone.signal }),
    );
    gone.abort();
    const settled = Promise.allSettled(left);
    assert.ok(mine.waiting <= 8, `only what had begun: ${mine.waiting}`);
    const { height } = await mine.read(request(500));
    assert.equal(height, harness.chain.height);
    const codes = codesOf(await settled);
    assert.ok(codes.filter((code) => code === 'ReadAbandonedError').length >= 21, codes.join());
    await assert.rejects(mine.read(request(1), { signal: gone.signal }), ReadAbandonedError);
    await mine.close();
  });
});

const sharedInts = (values: readonly number[]): SharedArrayBuffer => {
  const shared = new SharedArrayBuffer(values.length * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(shared).set(values);
  return shared;
};

describe('over HTTP', () => {
  let elsewhere: HttpNode;
  before(async () => {
    // No read counts as light here.
    elsewhere = await HttpNode.start({ limits: { lightRead: 0, waitingReads: 4 } });
  });
  after(async () => {
    await elsewhere.stop();
  });

  test('a large read has all that a light one has', async () => {
    const { node } = elsewhere.running;
    const snapshot = node.store.snapshot.bind(node.store);
    const budgets: unknown[] = [];
    node.store.snapshot = (budget) => {
      budgets.push(budget);
      return snapshot(budget);
    };
    for (const name of ['anna', 'bert', 'cleo']) await elsewhere.join(name);
    const first = await elsewhere.get('/v1/agents?limit=3', { 'accept-encoding': 'identity' });
    assert.equal(first.status, 200);
    const etag = first.headers['etag'];
    assert.ok(etag);
    assert.ok(budgets.includes(0));
    budgets.length = 0;
    const again = await elsewhere.get('/v1/agents?limit=3', { 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.ok(!budgets.includes(0), 'it was kept');
    const missing = await elsewhere.get('/v1/agents/nobody');
    assert.deepEqual([missing.status, missing.body['code']], [404, 'AGENT_NOT_FOUND']);
    const wrong = await elsewhere.get('/v1/events?after=1.70000');
    assert.equal(wrong.body['code'], 'PARAMETER_INVALID');
  });

  test('the same read is made once for all who ask for it, others are turned away beyond the bound', async () => {
    await elsewhere.join('dora');
    const same = await Promise.all(
      Array.from({ length: 20 }, () => elsewhere.get('/v1/discovery')),
    );
    assert.ok(same.every(({ status }) => status === 200));
    const other = await Promise.all(
      Array.from({ length: 20 }, (_, i) => elsewhere.get(`/v1/agents?limit=${i + 1}`)),
    );
    const refused = other.filter(({ status }) => status === 503);
    assert.ok(refused.length > 0 && refused.length < 20, String(refused.length));
    assert.ok(refused.every(({ body }) => body['code'] === 'OVERLOADED'));
  });

  test('a client of another protocol is waited for in its turn, however many questions another has', async () => {
    const node = await HttpNode.start({
      trustProxy: 1,
      limits: { lightRead: 0, waitingReads: 4 },
    });
    for (const name of ['anna', 'bert', 'cleo']) await node.join(name);
    const ask = async (from: string, maximum: number): Promise<boolean> => {
      const params = { name: 'net_list_open_work', arguments: { limit: maximum } };
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { body } = await node.post('/mcp', call, { 'x-forwarded-for': from });
      return (body['result'] as { isError?: boolean }).isError !== true;
    };
    const flood = Array.from({ length: 40 }, (_, index) => ask('192.0.2.1', index + 1));
    const other = ask('198.51.100.7', 50);
    await Promise.all(flood);
    assert.ok(await other, 'its place was taken');
    await node.stop();
  });

  test('makes small documents without a reader thread, but not large ones', async () => {
    // There is no room for a read that needs a thread.
    const node = await HttpNode.start({ limits: { lightRead: 4_000, waitingReads: 0 } });
    await node.join('anna');
    assert.equal((await node.get('/v1/agents?limit=1000')).status, 200);
    for (let i = 0; i < 10; i++) await node.join(`agent-${i}`);
    assert.equal((await node.get('/v1/agents?limit=2')).status, 200);
    assert.equal((await node.get('/v1/agents?limit=1000')).body['code'], 'OVERLOADED');
    await node.stop();
  });
});
