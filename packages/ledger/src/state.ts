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
 * Records are shared, never copied: a reader must not change one.
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

const UNREAD = Symbol('not read yet');

/** What is known of one key: the value in the base, and the one written over it. */
interface Cell {
  readonly key: string;
  /** UNREAD until the first read. */
  before: unknown;
  /** Its place among the written cells, by first writing; −1 where nothing was written. */
  place: number;
  /** The new value, undefined for a deletion. This and the members below count for written cells only. */
  after: unknown;
  collection: CollectionName | null;
  /** The queue in which the record waits and its place there; null where it does not wait, or no longer. */
  entry: QueueEntry | null;
}

/** A written pair; `after` is undefined for a deletion. */
export type Write = Readonly<Pick<Cell, 'key' | 'collection' | 'after'>>;

/** Writes over a reader, kept in memory until they are taken or dropped. */
export class StateOverlay implements WritableState, NonceWriter, StateReader {
  private base: StateReader;
  private readonly cells = new Map<string, Cell>();
  /** Written cells, in the order of first writing. */
  private readonly written: Cell[] = [];
  private readonly nonces = new Map<string, number>();
  /** The written cells whose records wait, by queue: every block asks every queue. */
  private readonly byQueue = new Map<string, Set<Cell>>();
  /** While `atomically` runs: how many cells had been written before, and how to put those of them back. */
  private attempt: { mark: number; undo: (() => void)[] } | null = null;

  constructor(base: StateReader) {
    this.base = base;
  }

  get<Name extends CollectionName>(collection: Name, id: IdOf<Name>): Collections[Name] | undefined;
  get(key: string): unknown;
  get(collectionOrKey: string, id?: string): unknown {
    const cell = this.cellOf(id === undefined ? collectionOrKey : `${collectionOrKey}/${id}`);
    return cell.place < 0 ? this.valueBefore(cell) : cell.after;
  }

  put<Name extends CollectionName>(
    collection: Name,
    id: IdOf<Name>,
    record: Collections[Name],
  ): void {
    this.write(collection, stateKey(collection, id), record);
  }

  delete<Name extends CollectionName>(collection: Name, id: IdOf<Name>): void {
    this.write(collection, stateKey(collection, id), undefined);
  }

  /**
   * Runs what writes here; where it throws, nothing that it wrote remains. Not to be nested. To take back what hardly ever
   * fails costs less than an overlay for each transition, whose writes go up into this one.
   */
  atomically(run: () => void): void {
    const attempt = { mark: this.written.length, undo: [] };
    this.attempt = attempt;
    try {
      run();
    } catch (error) {
      this.takeBack(attempt);
      throw error;
    } finally {
      this.attempt = null;
    }
  }

  private takeBack({ mark, undo }: { mark: number; undo: readonly (() => void)[] }): void {
    for (const step of undo.toReversed()) step();
    for (const cell of this.written.splice(mark)) {
      cell.place = -1;
      this.enqueue(cell, null);
    }
  }

  private cellOf(key: string): Cell {
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { key, before: UNREAD, place: -1, after: undefined, collection: null, entry: null };
      this.cells.set(key, cell);
    }
    return cell;
  }

  private valueBefore(cell: Cell): unknown {
    if (cell.before === UNREAD) cell.before = this.base.get(cell.key);
    return cell.before;
  }

  private write(collection: CollectionName, key: string, record: unknown): void {
    const cell = this.cellOf(key);
    if (cell.place < 0) {
      cell.place = this.written.length;
      cell.collection = collection;
      this.written.push(cell);
    } else if (this.attempt && cell.place < this.attempt.mark) {
      const { after, entry } = cell;
      this.attempt.undo.push(() => {
        cell.after = after;
        this.enqueue(cell, entry);
      });
    }
    cell.after = record;
    if (COLLECTIONS[collection].queue === undefined) return;
    this.enqueue(cell, record === undefined ? null : entryIn(collection, record));
  }

  private enqueue(cell: Cell, entry: QueueEntry | null): void {
    if (cell.entry) this.byQueue.get(cell.entry.queue)?.delete(cell);
    cell.entry = entry;
    if (!entry) return;
    const cells = this.byQueue.get(entry.queue);
    if (cells) cells.add(cell);
    else this.byQueue.set(entry.queue, new Set([cell]));
  }

  /** The value under the key before any write of this overlay. */
  original(key: string): unknown {
    return this.valueBefore(this.cellOf(key));
  }

  /** Every written pair, in the order of first writing. */
  writes(): readonly Write[] {
    return this.written;
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const found: { key: string; at: number }[] = [];
    for (const { key, entry } of this.byQueue.get(queue) ?? []) {
      if (entry && entry.at <= upTo) found.push({ key, at: entry.at });
    }
    for (const key of this.dueBelow(queue, upTo, limit)) {
      const entry = queueEntry(key, this.original(key));
      if (entry) found.push({ key, at: entry.at });
    }
    found.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    return found.slice(0, limit).map(({ key }) => key);
  }

  /** Keys that are due in the base and not overwritten here: `limit` of them, or all there are. */
  private dueBelow(queue: string, upTo: number, limit: number): string[] {
    for (let asked = limit; ;) {
      const keys = this.base.due(queue, upTo, asked);
      const kept = keys.filter((key) => this.cellOf(key).place < 0);
      if (keys.length < asked || kept.length >= limit) return kept;
      asked = limit + keys.length - kept.length;
    }
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    return this.nonces.get(nonceHash) ?? this.base.spentNonceExpiry(nonceHash);
  }

  /** Remembers a nonce as spent; `spentNonces` and the nonce leaf tell the store of it. */
  spendNonce(nonceHash: string, expiry: number): void {
    const { nonces } = this;
    const before = nonces.get(nonceHash);
    this.attempt?.undo.push(() => {
      if (before === undefined) nonces.delete(nonceHash);
      else nonces.set(nonceHash, before);
    });
    nonces.set(nonceHash, expiry);
  }

  /** The nonces spent in this overlay with their expiries. */
  spentNonces(): ReadonlyMap<string, number> {
    return this.nonces;
  }

  /** The reader under this overlay. */
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
    for (const { key, after } of this.written) {
      changes.set(key, after === undefined ? null : canonicalize(after));
    }
    return changes;
  }
}

/** The queue entry of the record under a state key, or null where it does not wait. */
export function queueEntry(key: string, record: unknown): QueueEntry | null {
  const parsed = parseStateKey(key);
  return parsed && record !== undefined ? entryIn(parsed.collection, record) : null;
}

function entryIn(collection: CollectionName, record: unknown): QueueEntry | null {
  const rule = COLLECTIONS[collection].queue as
    ((record: unknown) => QueueEntry | null) | undefined;
  return rule ? rule(record) : null;
}
