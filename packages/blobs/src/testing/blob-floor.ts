/** A real service beside a real node with registered agents, both on free ports. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type RunningNode } from '@netd/node';
import { canonicalize, sha256Hex, type Problem } from '@netd/protocol';
import { registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import type { TestContext } from 'node:test';
import { blobPath, signRequest, type BlobSigner, type SignedMethod } from '../client/signature.ts';
import { BLOB_ERROR_TABLE, type BlobErrorCode } from '../errors.ts';
import { serveBlobs, type RunningBlobs, type ServeBlobsOptions } from '../serve.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export function signerOf(agentId: string, keyName = agentId): BlobSigner {
  return { keyId: agentId, sign: (bytes) => testKey(keyName).signBytes(bytes) };
}

let nonces = 0;
export const freshNonce = (): string => `nonce-${process.pid}-${nonces++}`;

export class BlobFloor {
  readonly node: RunningNode;
  blobs: RunningBlobs;
  readonly home: string;
  private readonly options: Partial<ServeBlobsOptions>;

  private constructor(
    node: RunningNode,
    blobs: RunningBlobs,
    home: string,
    options: Partial<ServeBlobsOptions>,
  ) {
    this.node = node;
    this.blobs = blobs;
    this.home = home;
    this.options = options;
  }

  static async start(
    t: Pick<TestContext, 'after'>,
    options: Partial<ServeBlobsOptions> = {},
  ): Promise<BlobFloor> {
    const home = mkdtempSync(join(tmpdir(), 'netd-blobs-'));
    const node = await serve({
      host: '127.0.0.1',
      port: 0,
      dataDir: join(home, 'chain'),
      blockTime: 1,
      idleBlockTime: 100_000_000,
    });
    let floor: BlobFloor | null = null;
    t.after(async () => {
      await floor?.blobs.stop();
      await node.stop();
      rmSync(home, { recursive: true, force: true });
    });
    floor = new BlobFloor(node, await startBlobs(home, node, options), home, options);
    for (const agentId of ['ada', 'bob']) await floor.join(agentId);
    return floor;
  }

  get authority(): string {
    return new URL(this.blobs.url).host;
  }

  async restart(): Promise<void> {
    await this.blobs.stop();
    this.blobs = await startBlobs(this.home, this.node, this.options);
  }

  async join(agentId: string): Promise<void> {
    const key = testKey(agentId);
    const envelope = signEnvelope(
      key,
      registrationOf({ actorId: agentId, key }, { nonce: freshNonce() }),
    );
    const response = await fetch(`${this.node.url}/v1/agents/register`, {
      method: 'POST',
      body: canonicalize(envelope),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(response.status, 201, await response.text());
  }

  /** Returns the headers of a signature by ada for the hash, made now, with the given changes. */
  signature(
    method: SignedMethod,
    hash: string,
    {
      signer = signerOf('ada'),
      created = Math.floor(Date.now() / 1_000),
      nonce = freshNonce(),
      authority = this.authority,
    } = {},
  ): Promise<Record<string, string>> {
    return signRequest(signer, { method, hash, created, nonce, authority });
  }

  async put(bytes: Uint8Array, signer = signerOf('ada')): Promise<Answer> {
    const hash = sha256Hex(bytes);
    return this.send('PUT', blobPath(hash), await this.signature('PUT', hash, { signer }), bytes);
  }

  async delete(hash: string, signer = signerOf('ada')): Promise<Answer> {
    return this.send('DELETE', blobPath(hash), await this.signature('DELETE', hash, { signer }));
  }

  get(hash: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    return this.send(method, blobPath(hash), headers);
  }

  /** Sends a request without parsing its path. */
  send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Answer> {
    const { hostname, port } = new URL(this.blobs.url);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { method, path, hostname, port, headers, agent: false },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () => {
            const { statusCode = 0 } = response;
            resolve({ status: statusCode, headers: response.headers, bytes: Buffer.concat(parts) });
          });
        },
      );
      request.once('error', reject);
      request.end(body);
    });
  }
}

function startBlobs(
  home: string,
  node: RunningNode,
  options: Partial<ServeBlobsOptions>,
): Promise<RunningBlobs> {
  const dataDir = join(home, 'blobs');
  return serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl: node.url, ...options });
}

/** Checks status, code and shape of a refusal. */
export function assertRefused(answer: Answer, code: BlobErrorCode): void {
  const text = answer.bytes.toString();
  assert.equal(answer.headers['content-type'], 'application/problem+json', text);
  const problem = JSON.parse(text) as Problem;
  const { status, title, advice } = BLOB_ERROR_TABLE[code];
  assert.deepEqual([problem.code, answer.status, problem.status], [code, status, status], text);
  assert.equal(problem.title, title);
  assert.ok(problem.detail.endsWith(advice), problem.detail);
  assert.match(problem.requestId, /^[0-9a-f-]{36}$/);
}
