import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { sha256Hex } from '@netd/protocol';
import { blobPath } from './client/signature.ts';
import { serveBlobs } from './serve.ts';
import { BlobFloor } from './testing/blob-floor.ts';

interface Seen {
  status: number | undefined;
  fingerprint: string;
  bytes: Buffer;
}

/** Sends one request over TLS, and accepts any certificate. */
function requestTls(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
  body?: Uint8Array,
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { rejectUnauthorized: false, ...options }, (response) => {
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () =>
        resolve({
          status: response.statusCode,
          fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
          bytes: Buffer.concat(parts),
        }),
      );
    });
    asked.once('error', reject).end(body);
  });
}

test('one port answers HTTP and HTTPS, with the certificate whose fingerprint is reported', async (t) => {
  const floor = await start(t);
  const { httpsUrl, url, fingerprint } = floor.blobs;
  assert.ok(httpsUrl);
  assert.equal(httpsUrl.replace('https:', 'http:'), url);
  const health = await requestTls(`${httpsUrl}/health`);
  assert.deepEqual([health.status, health.fingerprint], [200, fingerprint]);

  // HTTP and HTTPS serve the same blobs. This one is large.
  const bytes = Buffer.alloc(3_000_000, 'x');
  const hash = sha256Hex(bytes);
  const headers = await floor.signature('PUT', hash);
  const length = { 'content-length': String(bytes.length) };
  const path = httpsUrl + blobPath(hash);
  const stored = await requestTls(
    path,
    { method: 'PUT', headers: { ...headers, ...length } },
    bytes,
  );
  assert.equal(stored.status, 201, stored.bytes.toString());
  assert.ok((await floor.get(hash)).bytes.equals(bytes));
  assert.ok((await requestTls(path)).bytes.equals(bytes));
});

test('a byte at a time, and what is neither HTTP nor TLS', async (t) => {
  const { blobs } = await start(t);
  const port = Number(new URL(blobs.url).port);
  const slow = connect(port, '127.0.0.1');
  for (const char of 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n') {
    slow.write(char);
    await new Promise((resolve) => setImmediate(resolve));
  }
  let text = '';
  for await (const part of slow) text += String(part);
  assert.match(text, /^HTTP\/1\.1 200 /);

  for (const bytes of [Buffer.from([0x16, 0x03, 0x01, 0xff]), Buffer.from('\x16nonsense')]) {
    const bad = connect(port, '127.0.0.1').on('error', () => {});
    bad.end(bytes);
    await once(bad.resume(), 'close');
  }
  const neither = connect(port, '127.0.0.1').on('error', () => {});
  neither.write(Buffer.from([0x00, 0x01]));
  let answer = '';
  for await (const part of neither) answer += String(part);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal((await fetch(`${blobs.url}/health`)).status, 200);
});

test('closes a silent connection, and stops without waiting for it', async (t) => {
  const { blobs } = await start(t, { headersTimeout: 100 });
  const port = Number(new URL(blobs.url).port);
  const dumb = connect(port, '127.0.0.1');
  await once(dumb.resume(), 'close');

  const { blobs: patient } = await start(t);
  const other = connect(Number(new URL(patient.url).port), '127.0.0.1');
  await once(other, 'connect');
  const closed = once(other.resume(), 'close');
  await patient.stop();
  await closed;
});

test('the certificate of this machine is not offered to others', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-blobs-open-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const nodeUrl = 'http://127.0.0.1:1';
  const blobs = await serveBlobs({ host: '0.0.0.0', port: 0, dataDir, nodeUrl });
  t.after(() => blobs.stop());
  assert.deepEqual([blobs.httpsUrl, blobs.fingerprint], [null, null]);
  await assert.rejects(requestTls(`${blobs.url.replace('http:', 'https:')}/health`));
});

async function start(
  t: Parameters<typeof BlobFloor.start>[0],
  limits: { headersTimeout?: number } = {},
): Promise<BlobFloor> {
  return BlobFloor.start(t, { limits });
}
