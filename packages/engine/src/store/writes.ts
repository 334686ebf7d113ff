/**
 * What a transaction of the database writes, worked out before it begins: a batch of the database commits what was put into
 * it even where its callback throws half-way.
 */
import type { Database, Key as TableKey } from 'lmdb';

/** Stands where a value would, for a key that is to go. */
const REMOVED = Symbol('removed');

/** What a transaction is to put and to remove, in order, before it has begun. */
export class Writes {
  /** Table, key and value in turn. One array: an object for each would cost as much. */
  private readonly parts: unknown[] = [];

  put<Value, Key extends TableKey>(table: Database<Value, Key>, key: Key, value: Value): void {
    this.parts.push(table, key, value);
  }

  remove<Value, Key extends TableKey>(table: Database<Value, Key>, key: Key): void {
    this.parts.push(table, key, REMOVED);
  }

  /** What is written over: every entry, as often as it is named. */
  *targets(): Generator<[table: Database<unknown>, key: TableKey]> {
    const { parts } = this;
    for (let i = 0; i < parts.length; i += 3) {
      yield [parts[i] as Database<unknown>, parts[i + 1] as TableKey];
    }
  }

  /** To be called within the transaction. */
  run(): void {
    const { parts } = this;
    for (let i = 0; i < parts.length; i += 3) {
      const table = parts[i] as Database<unknown>;
      const key = parts[i + 1] as TableKey;
      const value = parts[i + 2];
      if (value === REMOVED) void table.remove(key);
      else void table.put(key, value);
    }
  }
}

export function putAll(
  writes: Writes,
  table: Database<Buffer, number>,
  records: ReadonlyMap<number, Buffer | null>,
): void {
  for (const [key, record] of records) {
    if (record) writes.put(table, key, record);
    else writes.remove(table, key);
  }
}
