/** Where the bytes lie. The catalogue says what is there; a storage only keeps and hands out. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '@netd/client-limits';

export type { ByteRange };

export interface BlobStorage {
  readonly kind: 'disk' | 'bucket';
  /**
   * Takes over a file that is whole, durable and has this hash. When it resolves, the bytes survive a crash.
   * Nothing may be visible under the hash before.
   */
  adopt: (path: string, hash: string, byteLength: number) => Promise<void>;
  /** @returns null where the bytes are not there */
  read: (hash: string, range: ByteRange) => Promise<Readable | null>;
  /** Removes the bytes, or does nothing where there are none. */
  remove: (hash: string) => Promise<void>;
}
