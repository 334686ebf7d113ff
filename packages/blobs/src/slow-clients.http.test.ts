/** Clients that hold a slot without moving bytes, and clients that are only slow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { MAX_BLOB_BYTES, sha256Hex, utf8Bytes } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { blobPath } from './client/signature.ts';
import { assertRefused, BlobFloor, signerOf, type Answer } from './testing/blob-floor.ts';

const PLACES = 3;
const RATE = 4_000;
const LIMITS = {
  uploads: PLACES,
  downloads: PLACES,
  transferRate: RATE,
  transferGrace: 60_000,
  pressedGrace: 500,
};

/** Begins an upload of a great length, and sends a byte now and then. */
async function trickle(
  t: TestContext,
  floor: BlobFloor,
  agentId: string,
  { address = '', piece = 'x' } = {},
): Promise<Socket> {
  const hash = sha256Hex(utf8Bytes(`never whole ${agentId} ${Math.random()}`));
  const signed = await floor.signature('PUT', hash, { signer: signerOf(agentId) });
  const lines = Object.entries({
    host: floor.authority,
    'content-length': '1000000',
    ...(address === '' ? {} : { 'x-forwarded-for': address }),
    ...signed,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`PUT ${blobPath(hash)} HTTP/1.1\r\n${head}\r\n`);
  const timer = setInterval(() => socket.writable && socket.write(piece), 50);
  socket.once('close', () => clearInterval(timer));
  t.after(() => {
    clearInterval(timer);
    socket.destroy();
  });
  return socket;
}

/** Retries while the service is busy, as a client does. */
async function untilNotBusy(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 || tries === 100) return answer;
    assertRefused(answer, 'BUSY');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('uploads that trickle give up their places to others', async (t) => {
  const floor = await BlobFloor.start(t, { limits: LIMITS });
  for (let i = 0; i < PLACES; i++) await trickle(t, floor, 'bob');
  const { service } = floor.blobs;
  await until(() => service.uploadsUnderWay === PLACES);
  const answer = await untilNotBusy(() => floor.put(utf8Bytes('of an honest agent')));
  assert.equal(answer.status, 201, String(answer.bytes));
});

test('addresses that keep every place busy at more than the least rate shut no other address out', async (t) => {
  const floor = await BlobFloor.start(t, { limits: LIMITS, trustProxy: ['loopback'] });
  const { service } = floor.blobs;
  const piece = 'x'.repeat((2 * RATE * 50) / 1_000);
  const from = (number: number): string => `198.51.100.${number}`;
  for (const address of [from(1), from(2), from(1)]) {
    await trickle(t, floor, 'bob', { address, piece });
  }
  await until(() => service.uploadsUnderWay === PLACES);
  const put = async (address: string): Promise<Answer> => {
    const bytes = utf8Bytes(`of ${address}`);
    const hash = sha256Hex(bytes);
    const headers = await floor.signature('PUT', hash);
    return floor.send('PUT', blobPath(hash), { ...headers, 'x-forwarded-for': address }, bytes);
  };
  const refused = await put(from(1));
  assertRefused(refused, 'BUSY');
  assert.match(String(refused.bytes), /3 uploads are under way, and there may be no more/);
  // The first address holds two slots, and the other would hold one.
  const answer = await put(from(3));
  assert.equal(answer.status, 201, String(answer.bytes));
});

test('an upload that trickles ends by itself, and is told why', async (t) => {
  const floor = await BlobFloor.start(t, { limits: { ...LIMITS, transferGrace: 300 } });
  const socket = await trickle(t, floor, 'bob');
  let answer = '';
  for await (const part of socket) answer += String(part);
  assert.match(answer, /^HTTP\/1\.1 408 [^]*"code":"UPLOAD_TIMEOUT"/);
  assert.match(answer, /Less than 4000 bytes a second have been moved/);
});

/** Stops the clock of transfers, because a busy machine may stop this process for seconds. Returns a function that advances it. */
function stoppedClock(t: TestContext): (milliseconds: number) => void {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  return (milliseconds) => (now += milliseconds);
}

test('an upload that is slow and not too slow keeps its place, also when others want it', async (t) => {
  const pass = stoppedClock(t);
  const floor = await BlobFloor.start(t, { limits: { ...LIMITS, uploads: 1 } });
  const bytes = Buffer.alloc(4 * RATE, 7);
  const hash = sha256Hex(bytes);
  const signed = await floor.signature('PUT', hash);
  const lines = Object.entries({
    host: floor.authority,
    'content-length': bytes.length,
    ...signed,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.write(`PUT ${blobPath(hash)} HTTP/1.1\r\n${head}\r\n`);
  const answer = once(socket, 'data');
  await until(() => floor.blobs.service.uploadsUnderWay === 1);
  const others: number[] = [];
  // Three times the minimum rate, in tenths of a second.
  for (let at = 0; at < bytes.length; at += (3 * RATE) / 10) {
    socket.write(bytes.subarray(at, at + (3 * RATE) / 10));
    pass(100);
    others.push((await floor.put(utf8Bytes(`wants it at ${at}`), signerOf('bob'))).status);
  }
  assert.match(String(await answer), /^HTTP\/1\.1 201 /);
  assert.ok(others.includes(503), others.join());
});

function ask(t: TestContext, floor: BlobFloor, hash: string): Socket {
  const { hostname, port } = new URL(floor.blobs.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(`GET ${blobPath(hash)} HTTP/1.1\r\nhost: ${floor.authority}\r\n\r\n`);
  return socket;
}

async function withLargeBlob(t: TestContext, limits: object): Promise<[BlobFloor, string]> {
  const floor = await BlobFloor.start(t, { limits: { ...LIMITS, ...limits } });
  const large = Buffer.alloc(MAX_BLOB_BYTES, 1);
  assert.equal((await floor.put(large)).status, 201);
  return [floor, sha256Hex(large)];
}

test('downloads that are not read give up their places to others', async (t) => {
  const [floor, hash] = await withLargeBlob(t, {});
  for (let i = 0; i < PLACES; i++) ask(t, floor, hash);
  await until(async () => (await floor.get(hash)).status === 503);
  const answer = await untilNotBusy(() => floor.get(hash));
  assert.equal(answer.status, 200, String(answer.bytes.subarray(0, 300)));
  assert.equal(answer.bytes.length, MAX_BLOB_BYTES);
});

test('a download that is slow and not too slow comes to its end, also when others want its place', async (t) => {
  const pass = stoppedClock(t);
  // This takes eight seconds: the system's buffers hold megabytes, and empty a few at a time.
  const limits = { downloads: 1, transferRate: 100_000, pressedGrace: 7_000 };
  const [floor, hash] = await withLargeBlob(t, limits);
  const socket = ask(t, floor, hash);
  let length = 0;
  const others: number[] = [];
  while (length < MAX_BLOB_BYTES) {
    const part = (socket.read() as Buffer | null) ?? null;
    length += part?.length ?? 0;
    if (part !== null) {
      // Ten times the minimum rate.
      pass(part.length / 1_000);
      others.push((await floor.get(hash, { range: 'bytes=0-9' })).status);
    }
    if (socket.destroyed) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(length >= MAX_BLOB_BYTES, String(length));
  assert.ok(others.includes(503), others.join());
});

test('a hundred unknown ids do not block a registered agent', async (t) => {
  const floor = await BlobFloor.start(t);
  const strangers = Array.from({ length: 100 }, async (_, i) => {
    const answer = await floor.put(utf8Bytes(`of a stranger ${i}`), signerOf(`nobody-${i}`, 'bob'));
    assertRefused(answer, 'SIGNER_UNKNOWN');
  });
  const honest = Promise.all(
    ['ada', 'bob'].map((name) => floor.put(utf8Bytes(`of ${name}`), signerOf(name))),
  );
  for (const answer of await honest) assert.equal(answer.status, 201, String(answer.bytes));
  await Promise.all(strangers);
});

test('places are shared by address, an IPv6 network being one', async (t) => {
  const behind = await BlobFloor.start(t, {
    trustProxy: ['loopback'],
    limits: { ...LIMITS, downloadsOfAddress: 1, pressedGrace: 60_000 },
  });
  const large = Buffer.alloc(MAX_BLOB_BYTES, 1);
  const hash = sha256Hex(large);
  assert.equal((await behind.put(large)).status, 201);
  const { hostname, port } = new URL(behind.blobs.url);
  const socket = connect(Number(port), hostname).pause();
  t.after(() => socket.destroy());
  const of = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });
  const forwarded = Object.entries(of('2001:db8:1:2::7'))
    .map((line) => line.join(': '))
    .join();
  socket.write(
    `GET ${blobPath(hash)} HTTP/1.1\r\nhost: ${behind.authority}\r\n${forwarded}\r\n\r\n`,
  );
  await until(async () => (await behind.get(hash, of('2001:db8:1:2:9::9'))).status === 503);
  const refused = await behind.get(hash, of('2001:db8:1:2::8'));
  assertRefused(refused, 'BUSY');
  assert.match(String(refused.bytes), /2001:db8:1:2::\/64 has 1 downloads under way/);
  assert.equal((await behind.get(hash, of('2001:db8:1:3::8'))).status, 200);
});
