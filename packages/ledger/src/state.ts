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

/** The state after the last executed block. Records are shared, so a reader must not change them. */
export interface StateReader extends NonceReader {
  get(key: string): unknown;
  /** Returns keys due at or below `upTo`, ordered by (at, key). */
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

interface Cell {
  readonly key: string;
  before: unknown;
  /** Index in `written`; −1 if not written. */
  place: number;
  /** Undefined for a deletion. Only written cells have valid values here and below. */
  after: unknown;
  collection: CollectionName | null;
  entry: QueueEntry | null;
}

export type Write = Readonly<Pick<Cell, 'key' | 'collection' | 'after'>>;

export class StateOverlay implements WritableState, NonceWriter, StateReader {
  private base: StateReader;
  private readonly cells = new Map<string, Cell>();
  private readonly written: Cell[] = [];
  private readonly nonces = new Map<string, number>();
  private readonly byQueue = new Map<string, Set<Cell>>();
  /** Set while `atomically` runs: the count of cells written before, and how to restore them. */
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
   * Undoes all writes of `run` if it throws. Must not be nested. Failures are rare, so this costs less than
   * an overlay per transition.
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

  original(key: string): unknown {
    return this.valueBefore(this.cellOf(key));
  }

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

  spendNonce(nonceHash: string, expiry: number): void {
    const { nonces } = this;
    const before = nonces.get(nonceHash);
    this.attempt?.undo.push(() => {
      if (before === undefined) nonces.delete(nonceHash);
      else nonces.set(nonceHash, before);
    });
    nonces.set(nonceHash, expiry);
  }

  spentNonces(): ReadonlyMap<string, number> {
    return this.nonces;
  }

  baseReader(): StateReader {
    return this.base;
  }

  /** Replaces the base by one with the same pairs, after the old one was committed. */
  rebase(base: StateReader): void {
    this.base = base;
  }

  changes(): Map<string, string | null> {
    const changes = new Map<string, string | null>();
    for (const { key, after } of this.written) {
      changes.set(key, after === undefined ? null : canonicalize(after));
    }
    return changes;
  }
}

/** Returns null if the record does not wait. */
export function queueEntry(key: string, record: unknown): QueueEntry | null {
  const parsed = parseStateKey(key);
  return parsed && record !== undefined ? entryIn(parsed.collection, record) : null;
}

function entryIn(collection: CollectionName, record: unknown): QueueEntry | null {
  const rule = COLLECTIONS[collection].queue as
    ((record: unknown) => QueueEntry | null) | undefined;
  return rule ? rule(record) : null;
}
