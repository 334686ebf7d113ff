/** The bucket is a server of this test that checks signatures as S3 does (AWS Signature Version 4). */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { assertRefused, BlobFloor } from '../testing/blob-floor.ts';
import type { BucketOptions } from './bucket.ts';

const SECRET = 'a secret of this test';
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Returns true if the Authorization header matches the signature of this request. */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const match =
    /Credential=key\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([a-f0-9]{64})/.exec(
      headers.authorization ?? '',
    );
  const [, date = '', region = '', signed = '', signature] = match ?? [];
  const names = signed.split(';');
  const canonical = [
    method,
    url,
    '',
    ...names.map((name) => `${name}:${String(headers[name])}`),
    '',
    signed,
    headers['x-amz-content-sha256'] ?? createHash('sha256').digest('hex'),
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256Hex(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date));
  return hmac(key, text).toString('hex') === signature;
}

async function startBucket(t: TestContext, objects: Map<string, Buffer>): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const name = request.url?.split('/').at(-1) ?? '';
    const object = objects.get(name);
    if (!isSigned(request))
      return response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
    if (request.method === 'PUT') {
      if (sha256Hex(body) !== request.headers['x-amz-content-sha256'])
        return response.writeHead(400).end();
      objects.set(name, body);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return response.writeHead(204).end();
    }
    if (!object) return response.writeHead(404).end();
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    return response.writeHead(206).end(object.subarray(Number(first), Number(last) + 1));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/blobs`;
}

const bytes = utf8Bytes('0123456789');
const hash = sha256Hex(bytes);
const bucketAt = (url: string, secretAccessKey = SECRET): BucketOptions => ({
  url,
  region: 'auto',
  accessKeyId: 'key',
  secretAccessKey,
});

test('blobs go into the bucket, come out of it in parts, and leave it', async (t) => {
  const objects = new Map<string, Buffer>();
  const floor = await BlobFloor.start(t, { bucket: bucketAt(await startBucket(t, objects)) });
  assert.equal((await floor.put(bytes)).status, 201);
  assert.deepEqual([...objects.keys()], [hash]);
  assert.equal((await floor.get(hash)).bytes.toString(), '0123456789');
  const part = await floor.get(hash, { range: 'bytes=2-4' });
  assert.deepEqual([part.status, part.bytes.toString()], [206, '234']);
  objects.delete(hash);
  assertRefused(await floor.get(hash), 'BLOB_NOT_FOUND');
  assert.equal((await floor.delete(hash)).status, 204);
  assert.equal((await floor.put(bytes)).status, 201);
  assert.equal((await floor.delete(hash)).status, 204);
  assert.equal(objects.size, 0);
});

test('a bucket that refuses leaves nothing behind, and the reason in the log', async (t) => {
  const bucket = bucketAt(await startBucket(t, new Map()), 'another secret');
  const floor = await BlobFloor.start(t, { bucket });
  assertRefused(await floor.put(bytes), 'INTERNAL_ERROR');
  const { catalogue } = floor.blobs.service.parts;
  assert.deepEqual(catalogue.totals(), { bytes: 0, blobs: 0 });
  assert.deepEqual(catalogue.pending(), []);
});
