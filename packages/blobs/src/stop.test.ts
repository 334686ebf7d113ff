/** A service that stops does not wait for a client that has sent only part of a request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { serveBlobs } from './serve.ts';

const HALVES = {
  'that never carried a byte': '',
  'with half a head': 'GET /health HTTP/1.1\r\nHo',
  'with half a body': `PUT /blobs/${'0'.repeat(64)} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`,
};

for (const [what, bytes] of Object.entries(HALVES)) {
  test(`a connection ${what} does not hold a stop up`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'netd-blobs-stop-'));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const nodeUrl = 'http://127.0.0.1:1';
    const blobs = await serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl });
    const socket = connect(Number(new URL(blobs.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    // Ensures that the request has arrived when the stop begins.
    await (await fetch(`${blobs.url}/health`)).text();
    // The grace of transfers must not be needed here.
    const { setTimeout: real } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (...call: Parameters<typeof setTimeout>) =>
      Number(call[1]) === 5_000 ? real(() => {}, 0) : real(...call),
    );
    const closed = once(socket.resume(), 'close');
    await blobs.stop();
    await closed;
    assert.ok(socket.destroyed);
  });
}

test('an upload whose connection is gone is recorded before the catalogue closes, and a later one is refused', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-blobs-stop-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const nodeUrl = 'http://127.0.0.1:1';
  const { service, stop } = await serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl });
  service.parts.work = {
    hasWork: () => Promise.resolve(false),
    hasPaidName: () => Promise.resolve(true),
  };
  const hash = sha256Hex(utf8Bytes('ab'));
  const put = (nonce: string, body: PassThrough) =>
    service.put(hash, 2, { body, share: 'x' }, { keyId: 'ada', nonce, expires: 4_000_000_000 });
  const body = new PassThrough();
  const upload = put('1', body);
  body.write('a');
  let isOver = false;
  const stopped = stop().then(() => (isOver = true));
  // A stop that waited for nothing would be over by now.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(isOver, false);
  await assert.rejects(put('2', new PassThrough()), { code: 'BUSY' });
  body.end('b');
  assert.equal(await upload, 'created');
  await stopped;
});
