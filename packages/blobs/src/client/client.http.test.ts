import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createGzip } from 'node:zlib';
import { MAX_BLOB_BYTES, sha256Hex, utf8Bytes } from '@netd/protocol';
import { BlobFloor, signerOf } from '../testing/blob-floor.ts';
import { BlobClient, BlobServiceError, fetchBlob, findBlob } from './client.ts';
import { clockFault } from './signature.ts';

const bytes = utf8Bytes('what stands behind a hash');
const hash = sha256Hex(bytes);

/** An origin with one answer to everything. */
async function originOf(t: TestContext, status: number, body: Uint8Array): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('bytes that do not have the hash are never handed out', async (t) => {
  const liar = new BlobClient(await originOf(t, 200, utf8Bytes('something else')));
  assert.equal(await liar.get(hash), null);
  const endless = new BlobClient(await originOf(t, 200, new Uint8Array(MAX_BLOB_BYTES + 1)));
  assert.equal(await endless.get(hash), null);
});

test('refusals have a code, even if a proxy refuses', async (t) => {
  const proxy = new BlobClient(await originOf(t, 502, utf8Bytes('<html>')));
  await assert.rejects(proxy.get(hash), (error) => {
    assert.ok(error instanceof BlobServiceError);
    assert.deepEqual([error.status, error.code], [502, 'HTTP_502']);
    return true;
  });
  const floor = await BlobFloor.start(t);
  const client = new BlobClient(floor.blobs.url);
  await assert.rejects(client.put(bytes, signerOf('nobody')), { code: 'SIGNER_UNKNOWN' });
  await assert.rejects(client.put(bytes, signerOf('ada', 'bob')), { code: 'SIGNATURE_INVALID' });
  await assert.rejects(client.delete(hash, signerOf('ada')), { code: 'BLOB_NOT_FOUND' });
});

test('a signature that a wrong clock has dated is refused with how far the clock is off', async (t) => {
  const floor = await BlobFloor.start(t);
  const by = async (seconds: number): Promise<unknown> => {
    const now = (): number => Date.now() + seconds * 1_000;
    return new BlobClient(floor.blobs.url, { now }).put(bytes, signerOf('ada'));
  };
  const refused = (off: RegExp) => ({ code: 'SIGNATURE_EXPIRED', message: off });
  await assert.rejects(by(3_600), refused(/clock of this machine is 36\d\d s ahead/));
  await assert.rejects(by(-3_600), refused(/clock of this machine is 3[56]\d\d s behind/));
});

test('a clock is wrong as soon as a service would refuse what it signs', () => {
  const date = 'Fri, 15 Jan 2027 08:00:00 GMT';
  const fault = (seconds: number) => clockFault(date, Date.parse(date) + seconds * 1_000);
  assert.deepEqual([30, -330, 31, -331].map(fault), [null, null, '31 s ahead', '331 s behind']);
  assert.equal(clockFault(null, 0), null);
});

test('puts, gets, finds at another origin, and deletes', async (t) => {
  const floor = await BlobFloor.start(t);
  const client = new BlobClient(`${floor.blobs.url}/`);
  assert.equal(await client.put(bytes, signerOf('ada')), hash);
  assert.deepEqual(await client.get(hash), bytes);
  const liar = await originOf(t, 200, utf8Bytes('something else'));
  const broken = await originOf(t, 500, utf8Bytes(''));
  const origins = ['http://127.0.0.1:1', liar, broken, floor.blobs.url];
  assert.deepEqual(await fetchBlob(hash, origins), bytes);
  assert.equal(await fetchBlob(hash, origins.slice(0, 3)), null);
  await client.delete(hash, signerOf('ada'));
  assert.equal(await client.get(hash), null);
});

test('a refusal that unpacks without end is not read to its end, and says nothing to the terminal', async (t) => {
  let unpacked = 0;
  const server = createServer((request, response) => {
    response.writeHead(500, { 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    const zeros = Buffer.alloc(1_048_576);
    const more = (): void => {
      if (response.destroyed || unpacked >= 256) {
        gzip.end();
        return;
      }
      unpacked += 1;
      gzip.write(zeros, more);
    };
    request.on('close', () => gzip.destroy());
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  await assert.rejects(new BlobClient(`http://127.0.0.1:${port}`).get(hash), { code: 'HTTP_500' });
  assert.ok(unpacked < 256, `${unpacked} MiB were taken`);

  const clears = utf8Bytes(
    JSON.stringify({ code: 'BUSY', title: '\u001b[2Jgone', detail: 'a\nline'.repeat(1_000) }),
  );
  const painter = new BlobClient(await originOf(t, 503, clears));
  await assert.rejects(painter.get(hash), (error: Error) => {
    assert.ok(!/\p{Cc}/u.test(error.message) && error.message.length < 1_100, error.message);
    return true;
  });
  const nonsense = new BlobClient(await originOf(t, 503, utf8Bytes('{"title":7}')));
  await assert.rejects(nonsense.get(hash), { code: 'HTTP_503' });
});

test('does not wait for silent origins if another has the blob', async (t) => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const honest = await originOf(t, 200, bytes);
  // Longer than the runner waits for a test.
  const found = await fetchBlob(hash, [silent, honest], { timeout: 1_000_000 });
  assert.deepEqual(found, bytes);
});

test('follows no redirect of an origin', async (t) => {
  const floor = await BlobFloor.start(t);
  const client = new BlobClient(floor.blobs.url);
  await client.put(bytes, signerOf('ada'));
  const server = createServer((_request, response) =>
    response.writeHead(307, { location: client.url(hash) }).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const elsewhere = new BlobClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await assert.rejects(elsewhere.get(hash), TypeError);
  await assert.rejects(elsewhere.put(bytes, signerOf('ada')), TypeError);
  assert.equal(await fetchBlob(hash, [elsewhere.origin]), null);
});

test('only an answer of each origin that it has no such blob is absence', async (t) => {
  const absent = await originOf(t, 404, new Uint8Array());
  const busy = await originOf(t, 503, new Uint8Array());
  const lying = await originOf(t, 200, utf8Bytes('something else'));
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Used only with a silent origin, because an honest answer may take longer on a busy machine.
  const hasty = { timeout: 50 };
  assert.equal(await findBlob(hash, [absent, absent]), 'absent');
  assert.equal(await findBlob(hash, [absent, lying]), 'unknown');
  assert.equal(await findBlob(hash, [absent, busy]), 'unknown');
  assert.equal(await findBlob(hash, [silent, absent], hasty), 'unknown');
  assert.equal(await findBlob(hash, ['http://127.0.0.1:1', absent]), 'unknown');
  assert.deepEqual(await findBlob(hash, [busy, await originOf(t, 200, bytes)]), bytes);
});
