/** The event feed over bytes as a server or a proxy may cut them; what a real node sends is in events.slow.test.ts. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { streamEvents, type NetEvent } from './events.ts';
import { pause } from './pause.ts';

const HASH = '0'.repeat(64);

interface Answered {
  events: NetEvent[];
  heads: IncomingMessage['headers'][];
  /** Milliseconds between the end of a connection and the next one. */
  pauses: number[];
}

/** Answers each connection with the next stream, one byte a write, and ends it. */
async function readAll(streams: string[], count: number): Promise<Answered> {
  const heads: IncomingMessage['headers'][] = [];
  const pauses: number[] = [];
  let ended: number | undefined;
  const server = createServer((request, response) => {
    if (request.headers.accept !== 'text/event-stream') {
      const page = { events: [], next: '0.0', more: false };
      const network = { chainId: 'c', height: 0, blockHash: HASH, genesisHash: HASH };
      response.end(JSON.stringify(request.url === '/v1/network' ? network : page));
      return;
    }
    heads.push(request.headers);
    if (ended !== undefined) pauses.push(performance.now() - ended);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(streams.shift() ?? '');
    void (async () => {
      for (const byte of bytes) {
        await new Promise((resolve) => response.write(Uint8Array.of(byte), resolve));
      }
      ended = performance.now();
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const events: NetEvent[] = [];
  const signal = AbortSignal.timeout(60_000);
  try {
    for await (const event of streamEvents(`http://127.0.0.1:${port}/`, { after: '0.0', signal })) {
      events.push(event);
      if (events.length === count) break;
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { events, heads, pauses };
}

/** A node with one event stream that the test writes. */
class Feed {
  genesisHash = 'a'.repeat(64);
  /** Members to override in the next answers of `/v1/network`, one object per answer. */
  lies: object[] = [];
  /** The answer to the next stream. */
  refusal: { status: number; [member: string]: unknown } | null = null;
  /** The answer to every page; null for none and no more. */
  page: object | null = null;
  readonly streams: { watch: string | null; response: ServerResponse }[] = [];
  readonly queries: URLSearchParams[] = [];
  /** The queries of pages. */
  readonly asked: URLSearchParams[] = [];
  private readonly server = createServer((request, response) => this.answer(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  send(id: string, type: string, more: object): void {
    const data = JSON.stringify({ height: Number(id.split('.')[0]), type, data: {}, ...more });
    this.streams.at(-1)?.response.write(`id: ${id}\ndata: ${data}\n\n`);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { searchParams, pathname } = new URL(url, 'http://node');
    const { genesisHash, refusal } = this;
    if (pathname === '/v1/network') {
      const network = { chainId: 'c', height: 0, blockHash: HASH, genesisHash };
      response.end(JSON.stringify({ ...network, ...this.lies.shift() }));
    } else if (headers.accept !== 'text/event-stream') {
      const next = searchParams.get('after');
      this.asked.push(searchParams);
      const { status = 200 } = (this.page ?? {}) as { status?: number };
      response.writeHead(status);
      response.end(JSON.stringify(this.page ?? { events: [], next, more: false }));
    } else if (refusal) {
      this.queries.push(searchParams);
      this.refusal = null;
      response.writeHead(refusal.status, { 'retry-after': '0' }).end(JSON.stringify(refusal));
    } else {
      this.queries.push(searchParams);
      this.streams.push({ watch: searchParams.get('watch'), response });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    }
  }
}

const eventAt = (height: number): object => ({ id: `${height}.0`, height, type: 'Said', data: {} });
const event = (text: string): string => JSON.stringify({ height: 7, type: 'Said', data: { text } });

/** Compiles only because comparing the type narrows the data. */
function narrowed({ type, data }: NetEvent): [string, unknown] {
  switch (type) {
    case 'WorkOrderPaid':
      return [data.workerId, data.shares.map(({ amount }) => amount)];
    case 'WorkOrderRejected':
      return [data.workerId ?? 'nobody', data.refund];
    default:
      return [type, 'text' in data ? data['text'] : null];
  }
}

describe('the event feed', () => {
  test('puts characters and line breaks together however they are cut', async () => {
    const stream =
      `\uFEFF: hello\r\nretry: 1\r\n\r\nid: 7.0\r\nevent: Said\r\ndata: ${event('é€📜\uFEFF')}\r\n\r\n` +
      `: alive\n\nid: 7.1\ndata: ${event('x')}\n\nid: 7.2\rdata: ${event('y')}\r\r:\n`;
    const { events } = await readAll([stream], 3);
    assert.deepEqual(
      events.map(({ id, data }) => [id, (data as { text?: unknown }).text]),
      [
        ['7.0', 'é€📜\uFEFF'],
        ['7.1', 'x'],
        ['7.2', 'y'],
      ],
    );
  });

  test('comes back behind the last event it handed out, after the delay it was told', async () => {
    const { events, heads, pauses } = await readAll(
      [
        `retry: 3000\n\nid: 7.0\ndata: ${event('a')}\n\nid: 7.1\ndata: ${event('cut')}`,
        `id: 7.1\ndata: ${event('b')}\n\n`,
      ],
      2,
    );
    assert.deepEqual(
      events.map(({ data }) => (data as { text?: unknown }).text),
      ['a', 'b'],
    );
    assert.deepEqual(
      heads.map((head) => head['last-event-id']),
      ['0.65535', '7.0'],
    );
    // Without a value it waits two seconds.
    assert.ok(pauses.length === 1 && pauses[0]! >= 2_999, String(pauses));
  });

  test('shares one stream among readers, and gives each what concerns it', async () => {
    const server = new Feed();
    const url = await server.listen();
    const ending = new AbortController();
    const { signal } = ending;
    const ada = streamEvents(url, { after: '0.0', agent: 'ada', signal });
    const orders = streamEvents(url, { after: '0.0', type: 'WorkOrderCreated', signal });
    const next = [ada.next(), orders.next()];
    await until(() => server.streams.at(-1)?.watch === 'agent:ada,type:WorkOrderCreated');
    assert.equal(server.streams.filter(({ response }) => !response.closed).length, 1);
    server.send('7.0', 'WorkOrderCreated', { watched: ['type:WorkOrderCreated'] });
    server.send('7.1', 'AgentMessageSent', { watched: ['agent:ada'] });
    const seen = await Promise.all(next);
    assert.deepEqual(
      seen.map(({ value }) => (value as NetEvent).id),
      ['7.1', '7.0'],
    );
    ending.abort();
    assert.deepEqual((await ada.next()).done, true);
    server.close();
  });

  test('goes back to the height that a refused cursor is given, and ends with another chain', async () => {
    const server = new Feed();
    const url = await server.listen();
    const signal = AbortSignal.timeout(60_000);
    const feed = streamEvents(url, { after: '8.0', signal });
    const first = feed.next();
    await until(() => server.streams.length === 1);
    server.send('9.0', 'Said', { blockHash: 'c'.repeat(64) });
    assert.equal(((await first).value as NetEvent).blockHash, 'c'.repeat(64));
    server.refusal = { status: 409, code: 'CURSOR_STALE', title: 't', detail: 'd', height: 4 };
    const second = feed.next();
    server.streams.at(-1)?.response.end('retry: 1\n\n');
    await until(() => server.streams.length === 2);
    server.send('5.0', 'Said', {});
    assert.equal(((await second).value as NetEvent).id, '5.0');
    const [refused, again] = server.queries.slice(-2);
    assert.deepEqual([refused?.get('blockHash'), again?.get('blockHash')], ['c'.repeat(64), null]);
    assert.equal(again?.get('genesisHash'), server.genesisHash);
    server.genesisHash = 'f'.repeat(64);
    const third = feed.next();
    server.streams.at(-1)?.response.end('retry: 1\n\n');
    await assert.rejects(third, { code: 'CHAIN_REPLACED' });
    server.close();
  });

  test('gives each event a cursor, and sends back what a cursor names', async () => {
    const server = new Feed();
    const url = await server.listen();
    const hash = 'c'.repeat(64);
    const signal = AbortSignal.timeout(60_000);
    const feed = streamEvents(url, { after: '8.0', signal });
    const first = feed.next();
    await until(() => server.streams.length === 1);
    server.send('9.0', 'Said', { blockHash: hash });
    const since = `9.0.${server.genesisHash}.${hash}`;
    assert.equal(((await first).value as NetEvent).cursor, since);
    await feed.return();
    server.page = { events: [eventAt(10)], next: '10.0', more: false };
    const resumed = streamEvents(url, { since, signal });
    assert.equal(((await resumed.next()).value as NetEvent).cursor, `10.0.${server.genesisHash}`);
    const { after, genesisHash, blockHash } = Object.fromEntries(server.asked.at(-1)!);
    assert.deepEqual([after, genesisHash, blockHash], ['9.0', server.genesisHash, hash]);
    await resumed.return();
    server.page = { status: 503, code: 'HISTORY_NOT_HELD', title: 't', detail: 'd' };
    await assert.rejects(streamEvents(url, { since, signal }).next(), { code: 'HISTORY_NOT_HELD' });
    server.close();
  });

  test('goes on after an event whose id no node has', async () => {
    const server = new Feed();
    const url = await server.listen();
    const feed = streamEvents(url, { after: '1.0', signal: AbortSignal.timeout(60_000) });
    const first = feed.next();
    await until(() => server.streams.length === 1);
    server.send('b\u20acnana', 'Said', {});
    await until(() => server.streams.length === 2);
    server.send('5.0', 'Said', {});
    assert.equal(((await first).value as NetEvent).id, '5.0');
    await feed.return();
    server.close();
  });

  test('is not led ahead by a stale cursor', async () => {
    const server = new Feed();
    const url = await server.listen();
    const since = ['8.0', server.genesisHash, 'c'.repeat(64)].join('.');
    const options = { since, signal: AbortSignal.timeout(60_000) };
    server.page = { status: 409, code: 'CURSOR_STALE', title: 't', detail: 'd', height: 9 };
    const feed = streamEvents(url, options);
    const first = feed.next();
    await until(() => server.asked.length === 1);
    server.page = { events: [eventAt(9)], next: '9.0', more: false };
    assert.equal(((await first).value as NetEvent).id, '9.0');
    assert.equal(server.asked.length, 2);
    await feed.return();
    server.close();
  });

  for (const [what, lies] of [
    ['names no genesis', [{ genesisHash: undefined }]],
    ['once names another genesis', [{ genesisHash: 'e'.repeat(64) }]],
    ['once has no height', [{ height: '5' }]],
  ] as const) {
    test(`goes on after an answer that ${what}`, async () => {
      const server = new Feed();
      const url = await server.listen();
      const signal = AbortSignal.timeout(60_000);
      const feed = streamEvents(url, { after: '0.0', genesisHash: server.genesisHash, signal });
      server.lies = [...lies];
      const first = feed.next();
      await until(() => server.streams.length === 1);
      server.send('5.0', 'Said', {});
      assert.equal(((await first).value as NetEvent).id, '5.0');
      await feed.return();
      server.close();
    });
  }

  test('goes on after the page of a proxy, which it reports', async () => {
    const server = new Feed();
    const url = await server.listen();
    const told: string[] = [];
    const refused = ({ code }: { code: string }): void => void told.push(code);
    const feed = streamEvents(url, { after: '0.0', signal: AbortSignal.timeout(60_000), refused });
    server.page = { status: 404 };
    server.refusal = { status: 403 };
    const first = feed.next();
    await until(() => server.streams.length === 1);
    server.send('5.0', 'Said', {});
    server.page = null;
    assert.equal(((await first).value as NetEvent).id, '5.0');
    assert.deepEqual(told, ['HTTP_403']);
    await feed.return();
    server.close();
  });

  for (const [what, page] of [
    ['leads back', { events: [], next: '4.0', more: true }],
    ['is out of order', { events: [7, 6].map(eventAt), next: '7.0', more: false }],
  ] as const) {
    test(`asks for a page that ${what} again later, and passes none of it on`, async () => {
      const server = new Feed();
      const url = await server.listen();
      server.page = page;
      const ending = new AbortController();
      const feed = streamEvents(url, { after: '5.0', signal: ending.signal });
      const first = feed.next();
      await until(() => server.asked.length === 1);
      await pause(100);
      assert.equal(server.asked.length, 1);
      ending.abort();
      assert.equal((await first).done, true);
      server.close();
    });
  }

  test('reports once that the stream is refused', async () => {
    const server = new Feed();
    const url = await server.listen();
    const ending = new AbortController();
    server.refusal = { status: 429, code: 'RATE_LIMITED', title: 't', detail: 'd' };
    const told = new Promise((resolve) => {
      const options = { after: '0.0', signal: ending.signal, refused: resolve };
      void streamEvents(url, options).next();
    });
    assert.equal(((await told) as { code: string }).code, 'RATE_LIMITED');
    ending.abort();
    server.close();
  });

  test('passes on an event of a type that this version does not know', async () => {
    const { events } = await readAll([`id: 7.0\ndata: ${event('new')}\n\n`], 1);
    assert.deepEqual(events.map(narrowed), [['Said', 'new']]);
  });

  test('takes no event from a connection that ended in the middle of it', async () => {
    const cut = `retry: 1\nid: 7.0\ndata: ${event('cut')}\n`;
    const { events } = await readAll([cut, `id: 7.0\ndata: ${event('whole')}\n\n`], 1);
    assert.deepEqual(events[0]?.data, { text: 'whole' });
  });
});
