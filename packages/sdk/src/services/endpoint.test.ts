/** Handlers that ask apps of Hono and Express in this process. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { test } from 'node:test';
// @ts-expect-error: it has no types here
import express from 'express';
import { Hono } from 'hono';
import { expressHandler, fetchHandler, type EndpointHandler } from './index.ts';

interface Text {
  text: string;
}

interface Answer {
  status: (code: number) => Answer;
  send: (body: string) => void;
  json: (body: object) => void;
}

const hono = new Hono()
  .post('/count', async (context) => {
    const { text } = await context.req.json<Text>();
    if (text === '') return context.json({ why: 'no text' }, 422);
    return context.json({ letters: text.length });
  })
  .post('/page', (context) => context.text('a page'))
  .post('/endless', (context) => context.body(endless()));

/** Emits `over` once an app learns that its reader has gone. */
const unread = new EventEmitter();

/** Bytes of the last endless answer. */
let sent = 0;

function endless(): ReadableStream<Uint8Array> {
  sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel: () => void unread.emit('over'),
  });
}

/** Emits `now` once the app sees the end of a request. */
const closed = new EventEmitter();

const app = express()
  .use(express.json({ limit: '2mb' }))
  .post('/count', ({ body }: { body: Text }, response: Answer) => {
    const { text } = body;
    if (text === '') response.status(422).json({ why: 'no text' });
    else response.json({ letters: text.length });
  })
  .post('/page', (_request: unknown, response: Answer) => response.send('a page'))
  .post('/never', (request: IncomingMessage) => void request.on('close', () => closed.emit('now')))
  .post('/endless', (request: IncomingMessage, response: ServerResponse) => {
    request.on('close', () => unread.emit('over'));
    pipeline(Readable.fromWeb(endless() as WebStream), response, () => {});
  })
  .post('/drop', (request: IncomingMessage) => void request.socket.destroy());

const FRAMEWORKS: [name: string, handler: (endpoint: string) => EndpointHandler][] = [
  ['Hono', (endpoint) => fetchHandler(hono, endpoint)],
  ['Express', (endpoint) => expressHandler(app, endpoint)],
];

const job = (text: string, signal = new AbortController().signal) => ({ data: { text }, signal });

for (const [name, handlerOf] of FRAMEWORKS) {
  test(`an endpoint of ${name} gets the input and gives the result`, async () => {
    const count = handlerOf('POST /count');
    assert.deepEqual(await count(job('three')), { letters: 5 });
    // Longer than what a stream holds at once.
    const long = 'x'.repeat(1_000_000);
    assert.deepEqual(await count(job(long)), { letters: long.length });
    const all = await Promise.all(['a', 'bb', 'ccc'].map((text) => count(job(text))));
    assert.deepEqual(all, [{ letters: 1 }, { letters: 2 }, { letters: 3 }]);
  });

  test(`a refusal by an endpoint of ${name} fails the handler, and is quoted`, async () => {
    const failed = (endpoint: string, message: RegExp): Promise<void> =>
      assert.rejects(handlerOf(endpoint)(job('')), { code: 'HANDLER_FAILED', message });
    await failed('POST /count', /^(?!.*no JSON).*POST \/count answered 422: .*no text/s);
    await failed('POST /nothing', /answered 404/);
    await failed('POST /page', /no JSON: POST \/page answered 200: a page/);
  });
}

for (const [name, handlerOf] of FRAMEWORKS) {
  test(`an endpoint of ${name} that answers with more than a result may have fails the handler, and is cut off`, async () => {
    const over = once(unread, 'over');
    const message = /POST \/endless answered with more than 8388608 bytes/;
    await assert.rejects(handlerOf('POST /endless')(job('')), { code: 'HANDLER_FAILED', message });
    await over;
    assert.ok(sent < 12_000_000, `${sent} bytes`);
  });
}

test('a request to Express ends with the signal of the job', async () => {
  const stop = new AbortController();
  const asked = expressHandler(app, 'POST /never')(job('', stop.signal));
  const sees = once(closed, 'now');
  // The request must have arrived.
  setImmediate(() => setImmediate(() => stop.abort()));
  await assert.rejects(asked, { name: 'AbortError' });
  await sees;
});

test('a connection that the app drops fails the handler', { timeout: 10_000 }, async () => {
  await assert.rejects(expressHandler(app, 'POST /drop')(job('')), { code: 'ECONNRESET' });
});

test('what is no app or no endpoint with a body is refused', () => {
  const refused = { code: 'ARGUMENT_INVALID' };
  for (const endpoint of ['/count', 'GET /count', 'POST count', '']) {
    assert.throws(() => expressHandler(app, endpoint), refused, endpoint);
  }
  assert.throws(() => expressHandler({} as never, 'POST /count'), refused);
  assert.throws(() => fetchHandler({} as never, 'POST /count'), refused);
});
