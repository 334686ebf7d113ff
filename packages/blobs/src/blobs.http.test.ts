import assert from 'node:assert/strict';
import { readdirSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { MAX_BLOB_BYTES, sha256Hex, utf8Bytes } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { blobPath, contentDigest } from './client/signature.ts';
import { assertRefused, BlobFloor, signerOf } from './testing/blob-floor.ts';

const bytes = utf8Bytes('0123456789');
const hash = sha256Hex(bytes);
const path = blobPath(hash);

/** Files of the service with bytes of uploads. */
function files(floor: BlobFloor): string[] {
  return ['incoming', 'blobs'].flatMap((folder) =>
    readdirSync(join(floor.home, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.includes(`/blobs/${folder}`))
      .map(({ name }) => name),
  );
}

test('only the bytes that a name stands for are stored under it', async (t) => {
  const floor = await BlobFloor.start(t);
  const headers = () => floor.signature('PUT', hash);
  assertRefused(
    await floor.send('PUT', path, await headers(), utf8Bytes('012345678X')),
    'HASH_MISMATCH',
  );
  const { 'content-digest': _, ...without } = await headers();
  assertRefused(await floor.send('PUT', path, without, bytes), 'SIGNATURE_INVALID');
  for (const name of [
    hash.toUpperCase(),
    hash.slice(1),
    `${hash}0`,
    '..%2F..%2Fetc',
    'x',
    `%${hash.slice(1)}`,
  ]) {
    const answer = await floor.send('PUT', `/blobs/${name}`, await headers(), bytes);
    assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status}`);
  }
  assertRefused(
    await floor.send('PUT', blobPath(hash.toUpperCase()), await headers(), bytes),
    'HASH_INVALID',
  );
  assertRefused(await floor.get(hash.toUpperCase()), 'HASH_INVALID');
  assertRefused(await floor.get(hash), 'BLOB_NOT_FOUND');
  assert.deepEqual(files(floor), []);
  assert.deepEqual(floor.blobs.service.parts.catalogue.totals(), { bytes: 0, blobs: 0 });
});

test('length and encoding are known before a byte is read', async (t) => {
  const floor = await BlobFloor.start(t);
  const headers = await floor.signature('PUT', hash);
  const long = { ...headers, 'content-length': String(MAX_BLOB_BYTES + 1) };
  assertRefused(await floor.send('PUT', path, long), 'BLOB_TOO_LARGE');
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  assertRefused(await floor.send('PUT', path, chunked, bytes), 'LENGTH_REQUIRED');
  const packed = { ...headers, 'content-encoding': 'gzip' };
  assertRefused(await floor.send('PUT', path, packed, bytes), 'ENCODING_UNSUPPORTED');
});

test('a body that breaks off, or pauses, leaves nothing', async (t) => {
  const floor = await BlobFloor.start(t, { limits: { idleTimeout: 200 } });
  const { hostname, port } = new URL(floor.blobs.url);
  const start = async () => {
    const headers = await floor.signature('PUT', hash);
    const lines = Object.entries({ host: floor.authority, 'content-length': '10', ...headers });
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`PUT ${path} HTTP/1.1\r\n${head}\r\n01234`);
    return socket;
  };
  const slow = await start();
  let answer = '';
  for await (const part of slow) answer += String(part);
  assert.match(answer, /^HTTP\/1\.1 408 [^]*"code":"UPLOAD_TIMEOUT"/);

  const broken = await start();
  const { service } = floor.blobs;
  while (service.uploadsUnderWay === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  broken.destroy();
  while (service.uploadsUnderWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(files(floor), []);
  assert.deepEqual(service.parts.catalogue.totals(), { bytes: 0, blobs: 0 });
  assert.deepEqual(service.parts.catalogue.pending(), []);
  assert.equal((await floor.put(bytes)).status, 201, 'quota and place are free again');
});

test('serves a stored blob to everyone, cacheable forever, and never as a page', async (t) => {
  const floor = await BlobFloor.start(t);
  const put = await floor.put(bytes);
  assert.equal(put.status, 201);
  assert.equal(put.headers['location'], path);
  assert.deepEqual(JSON.parse(put.bytes.toString()), {
    schema: 'NET-BLOB/1',
    hash,
    byteLength: 10,
  });
  assert.equal((await floor.put(bytes)).status, 200);
  for (const method of ['GET', 'HEAD']) {
    const answer = await floor.get(hash, {}, method);
    assert.equal(answer.status, 200);
    assert.equal(answer.bytes.toString(), method === 'GET' ? '0123456789' : '');
    const expected = {
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'repr-digest': contentDigest(hash),
      etag: `"${hash}"`,
    };
    for (const [name, value] of Object.entries(expected))
      assert.equal(answer.headers[name], value, name);
  }
  await floor.restart();
  assert.equal((await floor.get(hash)).bytes.toString(), '0123456789');
});

test('ranges and conditions', async (t) => {
  const floor = await BlobFloor.start(t);
  await floor.put(bytes);
  const part = async (range: string, headers = {}) => {
    const answer = await floor.get(hash, { range, ...headers });
    return [answer.status, answer.bytes.toString(), answer.headers['content-range']];
  };
  assert.deepEqual(await part('bytes=2-4'), [206, '234', 'bytes 2-4/10']);
  assert.deepEqual(await part('bytes=-3'), [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(await part('bytes=8-99'), [206, '89', 'bytes 8-9/10']);
  assert.deepEqual(await part('bytes=0-1,3-4'), [200, '0123456789', undefined]);
  assert.deepEqual(await part('bytes=2-4', { 'if-range': `"${hash}"` }), [
    206,
    '234',
    'bytes 2-4/10',
  ]);
  assert.deepEqual(await part('bytes=2-4', { 'if-range': '"x"' }), [200, '0123456789', undefined]);
  const outside = await floor.get(hash, { range: 'bytes=10-' });
  assertRefused(outside, 'RANGE_NOT_SATISFIABLE');
  assert.equal(outside.headers['content-range'], 'bytes */10');
  const head = await floor.get(hash, { range: 'bytes=2-4' }, 'HEAD');
  assert.deepEqual([head.status, head.headers['content-length']], [200, '10']);
  for (const etag of [`"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, '*']) {
    const answer = await floor.get(hash, { 'if-none-match': etag });
    assert.deepEqual([answer.status, answer.bytes.length], [304, 0], etag);
  }
  assert.equal((await floor.get(hash, { 'if-none-match': '"x"' })).status, 200);
});

test('nothing at all is a blob too, and so is the largest', async (t) => {
  const floor = await BlobFloor.start(t);
  for (const content of [new Uint8Array(), new Uint8Array(MAX_BLOB_BYTES).map((_, i) => i * 7)]) {
    assert.equal((await floor.put(content)).status, 201);
    const answer = await floor.get(sha256Hex(content));
    assert.equal(answer.status, 200);
    assert.ok(answer.bytes.equals(content));
  }
  assertRefused(await floor.get(sha256Hex(''), { range: 'bytes=0-' }), 'RANGE_NOT_SATISFIABLE');
});

test('only who holds a blob gives it up, and it goes with the last hold', async (t) => {
  const floor = await BlobFloor.start(t);
  const [ada, bob] = ['ada', 'bob'].map((id) => signerOf(id));
  assert.ok(ada && bob);
  assertRefused(await floor.delete(hash), 'BLOB_NOT_FOUND');
  await floor.put(bytes, ada);
  assertRefused(await floor.delete(hash, bob), 'NOT_HELD');
  const second = await floor.put(bytes, bob);
  assert.equal(second.status, 200);
  assert.equal(floor.blobs.service.parts.catalogue.totals().blobs, 1);
  assert.equal((await floor.delete(hash, ada)).status, 204);
  assert.equal((await floor.get(hash)).status, 200, 'bob holds it');
  assertRefused(await floor.delete(hash, ada), 'NOT_HELD');
  assert.equal((await floor.delete(hash, bob)).status, 204);
  assertRefused(await floor.get(hash), 'BLOB_NOT_FOUND');
  assert.deepEqual(files(floor), []);
  assert.deepEqual(floor.blobs.service.parts.catalogue.totals(), { bytes: 0, blobs: 0 });
});

test('many put and delete the same bytes at once: at the end file and record agree', async (t) => {
  const floor = await BlobFloor.start(t);
  const rounds = Array.from({ length: 24 }, async (_, i) => {
    const signer = signerOf(i % 2 === 0 ? 'ada' : 'bob');
    const { status } = await (i % 3 === 2 ? floor.delete(hash, signer) : floor.put(bytes, signer));
    assert.ok([200, 201, 204, 403, 404, 503].includes(status), String(status));
  });
  await Promise.all(rounds);
  const { catalogue } = floor.blobs.service.parts;
  const there = catalogue.blob(hash) !== null;
  assert.deepEqual(files(floor), there ? [hash] : []);
  assert.deepEqual(catalogue.totals(), there ? { bytes: 4_096, blobs: 1 } : { bytes: 0, blobs: 0 });
  assert.deepEqual(catalogue.pending(), []);
});

test('an agent uploads so much a day, whatever becomes of it', async (t) => {
  let now = Date.parse('2026-01-01T23:59:00.000Z');
  const floor = await BlobFloor.start(t, { now: () => now, limits: { dailyBytes: 10_000 } });
  const put = async (size: number, agentId = 'ada') => {
    const content = new Uint8Array(size).fill(size % 251);
    const name = sha256Hex(content);
    const created = Math.floor(now / 1_000);
    const headers = await floor.signature('PUT', name, { created, signer: signerOf(agentId) });
    return floor.send('PUT', blobPath(name), headers, content);
  };
  assert.equal((await put(1)).status, 201, 'counts as 4,096');
  assert.equal((await put(5_000)).status, 201);
  const refused = await put(2);
  assertRefused(refused, 'QUOTA_EXCEEDED');
  assert.equal(refused.headers['retry-after'], '60');
  assert.equal((await put(5_000)).status, 200, 'what it holds already costs nothing');
  assert.equal((await put(5_001, 'bob')).status, 201, 'everybody has a quota of their own');
  now += 60_000;
  assert.equal((await put(2)).status, 201, 'the next day is another');
});

test('beyond the room uploads get 507, and what is there stays', async (t) => {
  const floor = await BlobFloor.start(t, {
    limits: { storageBytes: 10_096, unprovenBytes: 10_096 },
  });
  const content = new Uint8Array(6_000);
  assert.equal((await floor.put(content)).status, 201);
  assertRefused(await floor.put(new Uint8Array(4_097).fill(1)), 'STORAGE_FULL');
  assert.equal((await floor.get(sha256Hex(content))).bytes.length, 6_000);
  assert.equal(
    (await floor.put(content, signerOf('bob'))).status,
    200,
    'what is there needs no room',
  );
  assert.equal((await floor.put(new Uint8Array(4_000).fill(1))).status, 201);
});

test('uploads at once are bounded, for each agent too', async (t) => {
  const floor = await BlobFloor.start(t, { limits: { uploadsOfAgent: 1, uploads: 2 } });
  const { hostname, port } = new URL(floor.blobs.url);
  const hang = async (agentId: string) => {
    const headers = await floor.signature('PUT', hash, { signer: signerOf(agentId) });
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    const lines = Object.entries({ host: floor.authority, 'content-length': '10', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`PUT ${path} HTTP/1.1\r\n${head}\r\n0`);
  };
  const { service } = floor.blobs;
  await hang('ada');
  while (service.uploadsUnderWay < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const busy = await floor.put(utf8Bytes('x'));
  assertRefused(busy, 'BUSY');
  assert.equal(busy.headers['retry-after'], '1');
  await hang('bob');
  while (service.uploadsUnderWay < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await floor.join('cleo');
  assertRefused(await floor.put(utf8Bytes('x'), signerOf('cleo')), 'BUSY');
});

test('what is no blob is answered in the same form', async (t) => {
  const floor = await BlobFloor.start(t);
  assertRefused(await floor.send('GET', '/'), 'ROUTE_NOT_FOUND');
  const post = await floor.send('POST', path);
  assertRefused(post, 'METHOD_NOT_ALLOWED');
  assert.equal(post.headers['allow'], 'GET, HEAD, PUT, DELETE');
  const preflight = await floor.send('OPTIONS', path, { origin: 'https://page.example' });
  assert.equal(preflight.status, 204);
  assert.match(String(preflight.headers['access-control-allow-headers']), /Signature-Input/);
  const health = JSON.parse((await floor.send('GET', '/health')).bytes.toString()) as object;
  assert.deepEqual(health, {
    schema: 'NET-BLOBS-HEALTH/1',
    status: 'ok',
    storage: 'disk',
    blobs: 0,
    bytes: 0,
    capacityBytes: 10 * 1024 ** 3,
    unprovenBytes: 0,
    unprovenCapacityBytes: floor.blobs.service.unprovenCapacity,
    maxBlobBytes: MAX_BLOB_BYTES,
    dailyBytesPerAgent: 256 * 1024 ** 2,
  });
  const metrics = (await floor.send('GET', '/metrics')).bytes.toString();
  assert.match(metrics, /netd_blobs_refusals_total\{code="ROUTE_NOT_FOUND"\} 1/);
  assert.match(metrics, /netd_blobs_stored 0/);
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname);
  socket.end('NONSENSE\r\n\r\n');
  let answer = '';
  for await (const part of socket) answer += String(part);
  assert.match(answer, /^HTTP\/1\.1 400 [^]*"code":"REQUEST_INVALID"/);
});

/** Requests the largest blob so many times on one connection, and does not read. */
async function readNothing(t: TestContext, floor: BlobFloor, times = 1): Promise<string> {
  const large = Buffer.alloc(MAX_BLOB_BYTES, 1);
  const name = sha256Hex(large);
  assert.equal((await floor.put(large)).status, 201);
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname).pause();
  t.after(() => socket.destroy());
  socket.write(`GET ${blobPath(name)} HTTP/1.1\r\nhost: ${floor.authority}\r\n\r\n`.repeat(times));
  await until(async () => {
    const metrics = String((await floor.send('GET', '/metrics')).bytes);
    const refused = times === 1 || metrics.includes(`refusals_total{code="BUSY"} ${times - 1}`);
    return refused && metrics.includes(`served_bytes_total ${MAX_BLOB_BYTES}`);
  });
  return name;
}

test('a connection that asks ahead and does not read takes one place', async (t) => {
  const floor = await BlobFloor.start(t, { limits: { downloads: 2 } });
  const name = await readNothing(t, floor, 5);
  assert.equal((await floor.get(name)).status, 200);
});

test('downloads of one address are bounded, of this machine, too', async (t) => {
  const limits = { downloadsOfAddress: 1 };
  const open = await BlobFloor.start(t, { host: '0.0.0.0', limits });
  assertRefused(await open.get(await readNothing(t, open)), 'BUSY');
  const proxied = await BlobFloor.start(t, { host: '0.0.0.0', limits, trustProxy: 1 });
  const name = await readNothing(t, proxied);
  assert.equal((await proxied.get(name, { 'x-forwarded-for': '203.0.113.7' })).status, 200);
  const forged = '203.0.113.7, 127.0.0.1';
  assertRefused(await proxied.get(name, { 'x-forwarded-for': forged }), 'BUSY');
  const own = await BlobFloor.start(t, { limits });
  assertRefused(await own.get(await readNothing(t, own)), 'BUSY');
});

test('what is no request does not break into the answer before it', async (t) => {
  const floor = await BlobFloor.start(t);
  const large = Buffer.alloc(MAX_BLOB_BYTES, 1);
  assert.equal((await floor.put(large)).status, 201);
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname).pause();
  socket.write(`GET ${blobPath(sha256Hex(large))} HTTP/1.1\r\nhost: ${floor.authority}\r\n\r\n`);
  await until(async () =>
    String((await floor.send('GET', '/metrics')).bytes).includes(
      `served_bytes_total ${MAX_BLOB_BYTES}`,
    ),
  );
  socket.write('\u{1} no request\r\n\r\n');
  await floor.send('GET', '/health');
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  const answer = Buffer.concat(parts);
  const body = answer.indexOf('\r\n\r\n') + 4;
  assert.ok(answer.subarray(body, body + large.length).equals(large));
  assert.match(answer.subarray(body + large.length).toString(), /^HTTP\/1\.1 400 /);
});

test('behind a trusted proxy the writes of a forwarded address are limited, on loopback too', async (t) => {
  const floor = await BlobFloor.start(t, { trustProxy: 1, limits: { writesPerMinute: 1 } });
  const from = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address };
    const url = `${floor.blobs.url}/blobs/${'0'.repeat(64)}`;
    const { status } = await fetch(url, { method: 'PUT', body: 'x', headers });
    return status;
  };
  assert.notEqual(await from('203.0.113.7'), 429);
  assert.equal(await from('203.0.113.7'), 429);
  assert.notEqual(await from('203.0.113.8'), 429);
});

test('uploads leave free what the chain needs of the same disk', async (t) => {
  const { bavail, bsize } = statfsSync(tmpdir());
  const floor = await BlobFloor.start(t, { limits: { freeBytes: 4 * bavail * bsize } });
  assertRefused(await floor.put(utf8Bytes('one byte too many')), 'STORAGE_FULL');
  assert.deepEqual(floor.blobs.service.parts.catalogue.totals(), { bytes: 0, blobs: 0 });
  const health = await floor.send('GET', '/health');
  assert.equal(health.status, 200, 'a full service still reads blobs');
  assert.equal((JSON.parse(health.bytes.toString()) as { status: string }).status, 'full');
});
