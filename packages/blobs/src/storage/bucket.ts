/** Stores blobs in an S3-compatible bucket, whose PUT is atomic. */
import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { BlobStorage, ByteRange } from './storage.ts';

export interface BucketOptions {
  /** In path style: https://s3.example/bucket */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MILLISECONDS = 60_000;

export class BucketStorage implements BlobStorage {
  readonly kind = 'bucket';
  private readonly url: string;
  private readonly client: AwsClient;

  constructor({ url, ...credentials }: BucketOptions) {
    this.url = url.replace(/\/+$/, '');
    this.client = new AwsClient({ ...credentials, service: 's3', retries: 2 });
  }

  async adopt(path: string, hash: string): Promise<void> {
    // The bucket checks the hash, so aws4fetch need not compute it.
    const body = await openAsBlob(path);
    const headers = { 'x-amz-content-sha256': hash, 'content-type': 'application/octet-stream' };
    await this.ask(hash, { method: 'PUT', body, headers });
    await rm(path);
  }

  async read(hash: string, { first, last }: ByteRange): Promise<Readable | null> {
    const response = await this.ask(hash, { headers: { range: `bytes=${first}-${last}` } });
    if (response.status === 404 || !response.body) return null;
    return Readable.fromWeb(response.body);
  }

  async remove(hash: string): Promise<void> {
    await this.ask(hash, { method: 'DELETE' });
  }

  private async ask(
    hash: string,
    init: { method?: string; body?: Blob; headers?: Record<string, string> },
  ): Promise<Response> {
    const response = await this.client.fetch(`${this.url}/${hash}`, {
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    if (!response.ok && response.status !== 404) {
      const text = await response.text();
      throw new Error(`the bucket answered ${response.status}: ${text.slice(0, 500)}`);
    }
    if (init.method !== undefined) await response.body?.cancel();
    return response;
  }
}
