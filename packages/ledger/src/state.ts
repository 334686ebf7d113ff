/** The state as actions see it: typed reads and writes over whatever holds the committed pairs. */
import { canonicalize } from '@netd/protocol';
import type { NonceReader, NonceWriter } from './replay-protection.ts';
import type { QueueEntry } from './timer-queue.ts';
import {
  COLLECTIONS,
  parseStateKey,
  stateKey,
  type CollectionName,
  type Collections,
  type IdOf,
} from './collections.ts';

/**
 * What the ledger needs from a store: the pairs after the last executed block, and two orders derived from them.
 * Records are shared, never copied: whoever gets one must not change it.
 */
export interface StateReader extends NonceReader {
  /** The decoded value of a state key, or undefined. */
  get(key: string): unknown;
  /** State keys of the records that wait in the queue at or below `upTo`, ordered by (at, key). */
  due(queue: string, upTo: number, limit: number): string[];
}

export interface ReadableState {
  get<Name extends CollectionName>(collection: Name, id: IdOf<Name>): Collections[Name] | undefined;
}

export interface WritableState extends ReadableState {
  put<Name extends CollectionName>(
    collection: Name,
    id: IdOf<Name>,
    record: Collections[Name],
  ): void;
  delete<Name extends CollectionName>(collection: Name, id: IdOf<Name>): void;
}

/** Writes over a reader, kept in memory until they are taken or dropped. */
export class StateOverlay implements WritableState, NonceWriter, StateReader {
  private base: StateReader;
  private readonly written = new Map<string, unknown>();
  private readonly read = new Map<string, unknown>();
  private readonly nonces = new Map<string, number>();
  /** Where the written records of queued collections wait, null where they do not (any longer). */
  private readonly queued = new Map<string, QueueEntry | null>();
  /** Of these, the keys by queue: every block asks every queue. */
  private readonly byQueue = new Map<string, Set<string>>();

  constructor(base: StateReader) {
    this.base = base;
  }

  get<Name extends CollectionName>(collection: Name, id: IdOf<Name>): Collections[Name] | undefined;
  get(key: string): unknown;
  get(collectionOrKey: string, id?: string): unknown {
    const key = id === undefined ? collectionOrKey : `${collectionOrKey}/${id}`;
    const record = this.written.get(key);
    if (record !== undefined || this.written.has(key)) return record;
    return this.original(key);
  }

  put<Name extends CollectionName>(
    collection: Name,
    id: IdOf<Name>,
    record: Collections[Name],
  ): void {
    this.set(collection, stateKey(collection, id), record);
  }

  delete<Name extends CollectionName>(collection: Name, id: IdOf<Name>): void {
    this.set(collection, stateKey(collection, id), undefined);
  }

  private set(collection: CollectionName, key: string, record: unknown): void {
    this.written.set(key, record);
    if (COLLECTIONS[collection].queue === undefined) return;
    this.enqueue(key, record === undefined ? null : entryIn(collection, record));
  }

  private enqueue(key: string, entry: QueueEntry | null): void {
    const before = this.queued.get(key);
    if (before) this.byQueue.get(before.queue)?.delete(key);
    this.queued.set(key, entry);
    if (!entry) return;
    const keys = this.byQueue.get(entry.queue);
    if (keys) keys.add(key);
    else this.byQueue.set(entry.queue, new Set([key]));
  }

  /** The value under the key before any write of this overlay. */
  original(key: string): unknown {
    const known = this.read.get(key);
    if (known !== undefined || this.read.has(key)) return known;
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
    for (const [key, entry] of upper.queued) this.enqueue(key, entry);
    for (const [hash, expiry] of upper.nonces) this.nonces.set(hash, expiry);
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const found: { key: string; at: number }[] = [];
    for (const key of this.byQueue.get(queue) ?? []) {
      const at = this.queued.get(key)?.at;
      if (at !== undefined && at <= upTo) found.push({ key, at });
    }
    for (const key of this.dueBelow(queue, upTo, limit)) {
      const entry = queueEntry(key, this.original(key));
      if (entry) found.push({ key, at: entry.at });
    }
    found.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    return found.slice(0, limit).map(({ key }) => key);
  }

  /** What is due in the base and not overwritten here: `limit` keys, or all there are. */
  private dueBelow(queue: string, upTo: number, limit: number): string[] {
    for (let asked = limit; ;) {
      const keys = this.base.due(queue, upTo, asked);
      const kept = keys.filter((key) => !this.queued.has(key));
      if (keys.length < asked || kept.length >= limit) return kept;
      asked = limit + keys.length - kept.length;
    }
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

/** Where the record under a state key waits for its turn, or null. */
export function queueEntry(key: string, record: unknown): QueueEntry | null {
  const parsed = parseStateKey(key);
  return parsed && record !== undefined ? entryIn(parsed.collection, record) : null;
}

function entryIn(collection: CollectionName, record: unknown): QueueEntry | null {
  const rule = COLLECTIONS[collection].queue as
    ((record: unknown) => QueueEntry | null) | undefined;
  return rule ? rule(record) : null;
}
