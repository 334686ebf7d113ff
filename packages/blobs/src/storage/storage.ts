/** A place for bytes. The catalogue decides which blobs exist. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '@netd/client-limits';

export type { ByteRange };

export interface BlobStorage {
  readonly kind: 'disk' | 'bucket';
  /** Once this resolves, the bytes survive a crash. Before, nothing may be visible under the hash. */
  adopt: (path: string, hash: string, byteLength: number) => Promise<void>;
  /** @returns null if the bytes are missing */
  read: (hash: string, range: ByteRange) => Promise<Readable | null>;
  remove: (hash: string) => Promise<void>;
}
