import { setTimeout as sleep } from 'node:timers/promises';
import { BlobClient, BlobServiceError, fetchBlob } from '@netd/blobs/client';
import { sha256Hex } from '@netd/protocol';
import type { Actor } from '@netd/sdk';
import { CommandError, isConnectionError } from '../command-error.ts';

/** Blobs in memory, without a store. One round needs about thirty, and beacons are renewed within ten rounds. */
const MOST_IN_HAND = 1_000;
/** A store that asks for a second each time is asked for ten seconds. */
const ATTEMPTS = 10;

export interface BlobStore {
  providerId: string;
  url: string;
  httpsUrl: string | null;
}

export class DemoBlobs {
  readonly stores: readonly BlobStore[];
  private readonly hands = new Map<string, Uint8Array>();

  constructor(stores: readonly BlobStore[]) {
    this.stores = stores;
  }

  get origins(): string[] {
    return this.stores.map(({ url }) => url);
  }

  async put({ actorId, key }: Actor, bytes: Uint8Array): Promise<string> {
    const hash = sha256Hex(bytes);
    if (this.stores.length === 0) this.keep(hash, bytes);
    const signer = { keyId: actorId, sign: (data: Uint8Array) => key.signBytes(data) };
    await Promise.all(
      this.origins.map((origin) =>
        patiently(origin, () => new BlobClient(origin).put(bytes, signer)),
      ),
    );
    return hash;
  }

  private keep(hash: string, bytes: Uint8Array): void {
    this.hands.delete(hash);
    this.hands.set(hash, bytes);
    const [oldest] = this.hands.keys();
    if (this.hands.size > MOST_IN_HAND && oldest !== undefined) this.hands.delete(oldest);
  }

  /** Asks again, because a busy store answers as if it had nothing. */
  async get(hash: string): Promise<Uint8Array> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const bytes = await this.find(hash);
      if (bytes !== null) return bytes;
      await sleep(1_000);
    }
    throw new CommandError(`no store has the blob ${hash}`);
  }

  async find(hash: string): Promise<Uint8Array | null> {
    return this.hands.get(hash) ?? fetchBlob(hash, this.origins);
  }
}

/**
 * Calls again while a store restarts, or while it is busy because the whole cast and the house upload from one
 * address.
 */
async function patiently<Value>(origin: string, call: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const isLost = isConnectionError(error);
      const isBusy = error instanceof BlobServiceError && error.code === 'BUSY';
      if (!isBusy && !isLost) throw error;
      if (attempt === ATTEMPTS) {
        throw isLost ? new CommandError(`the store at ${origin} has stopped answering`) : error;
      }
      await sleep(((isBusy ? error.retryAfter : null) ?? 1) * 1_000);
    }
  }
}
