/** The state as actions see it: typed reads and writes over whatever holds the committed pairs. */
import { canonicalize } from '@netd/protocol';
import {
  COLLECTIONS,
  parseStateKey,
  stateKey,
  type CollectionName,
  type Collections,
} from './collections.ts';

/**
 * What the ledger needs from a store: the pairs after the last executed block, and two orders derived from them.
 * Records are shared, never copied: whoever gets one must not change it.
 */
export interface StateReader {
  /** The decoded value of a state key, or undefined. */
  get(key: string): unknown;
  /** State keys of the collection whose dueAtHeight is at or below `height`, ordered by (due height, key). */
  due(collection: CollectionName, height: number, limit: number): string[];
  /** The highest expiry under which the nonce hash was spent in a leaf that is still there, or undefined. */
  spentNonceExpiry(nonceHash: string): number | undefined;
}

export interface ReadableState {
  get<Name extends CollectionName>(collection: Name, id: string): Collections[Name] | undefined;
}

export interface WritableState extends ReadableState {
  put<Name extends CollectionName>(collection: Name, id: string, record: Collections[Name]): void;
  delete(collection: CollectionName, id: string): void;
}

/** Writes over a reader, kept in memory until they are taken or dropped. */
export class StateOverlay implements WritableState, StateReader {
  private base: StateReader;
  private readonly written = new Map<string, unknown>();
  private readonly read = new Map<string, unknown>();
  private readonly nonces = new Map<string, number>();

  constructor(base: StateReader) {
    this.base = base;
  }

  get<Name extends CollectionName>(collection: Name, id: string): Collections[Name] | undefined;
  get(key: string): unknown;
  get(collectionOrKey: string, id?: string): unknown {
    const key = id === undefined ? collectionOrKey : `${collectionOrKey}/${id}`;
    if (this.written.has(key)) return this.written.get(key);
    return this.original(key);
  }

  put<Name extends CollectionName>(collection: Name, id: string, record: Collections[Name]): void {
    this.written.set(stateKey(collection, id), record);
  }

  delete(collection: CollectionName, id: string): void {
    this.written.set(stateKey(collection, id), undefined);
  }

  /** The value under the key before any write of this overlay. */
  original(key: string): unknown {
    if (this.read.has(key)) return this.read.get(key);
    const value = this.base.get(key);
    this.read.set(key, value);
    return value;
  }

  /** Every written key with its record, undefined for a deletion, in the order of first writing. */
  writes(): ReadonlyMap<string, unknown> {
    return this.written;
  }

  /** Takes over the writes of an overlay that was laid over this one. */
  absorb(upper: StateOverlay): void {
    for (const [key, record] of upper.written) this.written.set(key, record);
    for (const [hash, expiry] of upper.nonces) this.nonces.set(hash, expiry);
  }

  due(collection: CollectionName, height: number, limit: number): string[] {
    const found: { key: string; at: number }[] = [];
    const prefix = `${collection}/`;
    for (const [key, record] of this.written) {
      if (!key.startsWith(prefix)) continue;
      const at = record === undefined ? null : dueHeight(key, record);
      if (at !== null && at <= height) found.push({ key, at });
    }
    // Enough of the base that dropping the overwritten ones still leaves `limit`.
    for (const key of this.base.due(collection, height, limit + this.written.size)) {
      if (this.written.has(key)) continue;
      const at = dueHeight(key, this.original(key));
      if (at !== null) found.push({ key, at });
    }
    found.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    return found.slice(0, limit).map(({ key }) => key);
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    return this.nonces.get(nonceHash) ?? this.base.spentNonceExpiry(nonceHash);
  }

  /** Remembers a nonce as spent; `spentNonces` and the nonce leaf tell the store of it. */
  spendNonce(nonceHash: string, expiry: number): void {
    this.nonces.set(nonceHash, expiry);
  }

  /** The nonces spent in this overlay with their expiries. */
  spentNonces(): ReadonlyMap<string, number> {
    return this.nonces;
  }

  /** What lies under this overlay. */
  baseReader(): StateReader {
    return this.base;
  }

  /** Reads from another base from now on: one that holds the same pairs, once the old one has been committed. */
  rebase(base: StateReader): void {
    this.base = base;
  }

  /** The written pairs as canonical JSON, null for a deletion. */
  changes(): Map<string, string | null> {
    const changes = new Map<string, string | null>();
    for (const [key, record] of this.written) {
      changes.set(key, record === undefined ? null : canonicalize(record));
    }
    return changes;
  }
}

/** When the record under a state key falls due, or null. */
export function dueHeight(key: string, record: unknown): number | null {
  const parsed = parseStateKey(key);
  if (!parsed) return null;
  const rule = COLLECTIONS[parsed.collection].dueAtHeight as
    ((record: unknown) => number | null) | undefined;
  return rule ? rule(record) : null;
}
