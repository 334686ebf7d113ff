/**
 * Answers of untrusted servers: compressed or not, they have the same content, and long or incomplete ones
 * are refused.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { getBounded } from './bounded-answer.ts';
import { Origin } from './origin.ts';

const MAX_BYTES = 100_000;
const TEXT = 'All that was told. '.repeat(1_000);

async function startServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textFrom(url: string): Promise<string> {
  const { signal } = new AbortController();
  const { body } = await getBounded(url, { headers: {}, signal, maxBytes: MAX_BYTES });
  const parts = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('an answer comes out the same, however it is packed', async (t) => {
  const packed: Record<string, Buffer> = {
    '/br': brotliCompressSync(TEXT),
    '/gzip': gzipSync(TEXT),
    '/GZIP': gzipSync(TEXT),
    '/identity': Buffer.from(TEXT),
    '/': Buffer.from(TEXT),
  };
  const url = await startServer(t, ({ url: path = '/' }, answer) => {
    answer.writeHead(200, path === '/' ? {} : { 'content-encoding': path.slice(1) });
    answer.end(packed[path]);
  });
  for (const path of Object.keys(packed)) assert.equal(await textFrom(url + path), TEXT);
});

test('refuses answers that are too long, compressed or not, and plain text that claims compression', async (t) => {
  const long = Buffer.alloc(MAX_BYTES + 1, 'x');
  const url = await startServer(t, ({ url: path }, answer) => {
    if (path === '/bomb') answer.writeHead(200, { 'content-encoding': 'br' });
    if (path === '/none') answer.writeHead(200, { 'content-encoding': 'br' });
    answer.end(path === '/bomb' ? brotliCompressSync(long) : path === '/none' ? TEXT : long);
  });
  await assert.rejects(textFrom(`${url}/`), { name: 'LongAnswerError' });
  await assert.rejects(textFrom(`${url}/bomb`), { name: 'LongAnswerError' });
  await assert.rejects(textFrom(`${url}/none`), { code: /^ERR_/ });
});

test('names the compression if it is neither br nor gzip', async (t) => {
  const url = await startServer(t, ({ url: path = '/' }, answer) => {
    answer.writeHead(200, { 'content-encoding': decodeURIComponent(path.slice(1)) });
    answer.end(brotliCompressSync(gzipSync(TEXT)));
  });
  for (const packing of ['gzip, br', 'zstd', 'constructor']) {
    await assert.rejects(new Origin(`${url}/${encodeURIComponent(packing)}#`).genesis(), {
      reason: `the answer is packed by ${packing}, and may only be by br or gzip`,
    });
  }
});

test('decompresses answers one at a time, and skips aborted requests', async (t) => {
  const bomb = brotliCompressSync(Buffer.alloc(300 * MAX_BYTES, 'x'));
  const url = await startServer(t, (_request, answer) => {
    answer.writeHead(200, { 'content-encoding': 'br' }).end(bomb);
  });
  const end = new AbortController();
  const reasons: unknown[] = [];
  const ask = async (): Promise<void> => {
    const options = { headers: {}, signal: end.signal, maxBytes: 299 * MAX_BYTES };
    await getBounded(url, options).catch(({ name }: Error) => reasons.push(name));
    end.abort();
  };
  await Promise.all(Array.from({ length: 12 }, ask));
  assert.deepEqual([...new Set(reasons)], ['LongAnswerError', 'AbortError']);
  // A few others may start before the abort reaches them.
  assert.ok(reasons.filter((name) => name === 'LongAnswerError').length <= 3, String(reasons));
});

test('rejects an answer that breaks off, and aborts an endless one', async (t) => {
  const url = await startServer(t, ({ url: path }, answer) => {
    answer.writeHead(200, { 'content-length': 1_000 });
    answer.write('half');
    if (path === '/broken') setImmediate(() => answer.destroy());
  });
  await assert.rejects(textFrom(`${url}/broken`));
  const signal = AbortSignal.timeout(50);
  const options = { headers: {}, signal, maxBytes: MAX_BYTES };
  await assert.rejects(getBounded(`${url}/endless`, options));
});

test('what changes over to another protocol is no answer', { timeout: 60_000 }, async (t) => {
  const url = await startServer(t, ({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
  });
  await assert.rejects(textFrom(url), { message: 'the answer is in another protocol' });
});

test(
  'an answer in crumbs, or after others without end, is refused',
  { timeout: 120_000 },
  async (t) => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const kinds: [string, string, string, RegExp][] = [
      ['/crumbs', chunked, '1\r\nx\r\n', /comes in more than \d+ pieces/],
      ['/hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', /no answer after \d+ others/],
    ];
    const url = await startServer(t, ({ url: asked, socket }) => {
      const [, head = '', part = ''] = kinds.find(([path]) => path === asked) ?? [];
      socket.write(head);
      const talk = (): void => {
        while (socket.writable && socket.write(part.repeat(1_000)));
      };
      socket.on('drain', talk);
      talk();
    });
    for (const [path, , , message] of kinds)
      await assert.rejects(textFrom(url + path), { message });
  },
);

test('a kept connection that the node has closed meanwhile costs no answer', async (t) => {
  const used = new Set<Socket>();
  const url = await startServer(t, ({ socket }, answer) => {
    if (used.has(socket)) socket.destroy();
    else answer.end(TEXT);
    used.add(socket);
  });
  assert.equal(await textFrom(url), TEXT);
  assert.equal(await textFrom(url), TEXT);
  assert.equal(used.size, 2);
});
