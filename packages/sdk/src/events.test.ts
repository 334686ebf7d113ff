/** The event feed over bytes as a server or a proxy may cut them; what a real node sends is in events.slow.test.ts. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { streamEvents, type NetEvent } from './events.ts';

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

const event = (text: string): string => JSON.stringify({ height: 7, type: 'Said', data: { text } });

describe('the event feed', () => {
  test('puts characters and line breaks together however they are cut', async () => {
    const stream =
      `\uFEFF: hello\r\nretry: 1\r\n\r\nid: 7.0\r\nevent: Said\r\ndata: ${event('é€📜\uFEFF')}\r\n\r\n` +
      `: alive\n\nid: 7.1\ndata: ${event('x')}\n\nid: 7.2\rdata: ${event('y')}\r\r:\n`;
    const { events } = await readAll([stream], 3);
    assert.deepEqual(
      events.map(({ id, data }) => [id, data['text']]),
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
        `retry: 50\n\nid: 7.0\ndata: ${event('a')}\n\nid: 7.1\ndata: ${event('cut')}`,
        `id: 7.1\ndata: ${event('b')}\n\n`,
      ],
      2,
    );
    assert.deepEqual(
      events.map(({ data }) => data['text']),
      ['a', 'b'],
    );
    assert.deepEqual(
      heads.map((head) => head['last-event-id']),
      ['0.0', '7.0'],
    );
    // Without a value it waits two seconds.
    assert.ok(pauses.length === 1 && pauses[0]! >= 49 && pauses[0]! < 1_900, String(pauses));
  });

  test('takes no event from a connection that ended in the middle of it', async () => {
    const cut = `retry: 1\nid: 7.0\ndata: ${event('cut')}\n`;
    const { events } = await readAll([cut, `id: 7.0\ndata: ${event('whole')}\n\n`], 1);
    assert.deepEqual(events[0]?.data, { text: 'whole' });
  });
});
