/** Where the cast keeps what stands behind its hashes: at the stores of the devnet, or with each other where it has none. */
import { BlobClient, fetchBlob } from '@netd/blobs/client';
import { sha256Hex } from '@netd/protocol';
import type { Actor } from '@netd/sdk';

/** A place as dev.json names it. */
export interface BlobStore {
  providerId: string;
  url: string;
  httpsUrl: string | null;
}

export class DemoBlobs {
  readonly stores: readonly BlobStore[];
  /** Handed from one player to another: a devnet without stores has nowhere else to keep them. */
  private readonly hands = new Map<string, Uint8Array>();

  constructor(stores: readonly BlobStore[]) {
    this.stores = stores;
  }

  /** What metadata names as origins. */
  get origins(): string[] {
    return this.stores.map(({ url }) => url);
  }

  /** Keeps bytes under their hash, at every place. @throws BlobServiceError, TypeError */
  async put({ actorId, key }: Actor, bytes: Uint8Array): Promise<string> {
    const hash = sha256Hex(bytes);
    if (this.stores.length === 0) this.hands.set(hash, bytes);
    const signer = { keyId: actorId, sign: (data: Uint8Array) => key.signBytes(data) };
    await Promise.all(this.origins.map((origin) => new BlobClient(origin).put(bytes, signer)));
    return hash;
  }

  /** The bytes, which have this hash. @throws Error if no store has them */
  async get(hash: string): Promise<Uint8Array> {
    const bytes = await this.find(hash);
    if (bytes === null) throw new Error(`no store has the blob ${hash}`);
    return bytes;
  }

  /** The same, null if no store has them: what only a killed run held is gone. */
  async find(hash: string): Promise<Uint8Array | null> {
    return this.hands.get(hash) ?? fetchBlob(hash, this.origins);
  }
}
