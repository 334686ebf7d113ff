/** Keeps the old values of all entries written since a save point. */
import type { Database, Key as TableKey } from 'lmdb';
import { Writes } from './writes.ts';

interface Before {
  key: TableKey;
  value: unknown;
}

interface SavePoint {
  id: string;
  tables: Map<Database<unknown>, Map<string, Before>>;
}

export class SavePoints {
  private points: SavePoint[] = [];

  add(id: string): void {
    this.points.push({ id, tables: new Map() });
  }

  has(id: string): boolean {
    return this.points.some((point) => point.id === id);
  }

  /** Records the old values. Call it before the writes run. */
  note(writes: Writes): void {
    const newest = this.points.at(-1);
    if (!newest) return;
    for (const [table, key] of writes.targets()) {
      const entries = entriesOf(newest, table);
      const name = nameOf(key);
      if (!entries.has(name)) entries.set(name, { key, value: table.get(key) });
    }
  }

  /** @throws RangeError if there is no such save point */
  back(id: string): Writes {
    const at = this.points.findIndex((point) => point.id === id);
    if (at < 0) throw new RangeError(`there is no save point ${id}`);
    const writes = new Writes();
    const done = new Map<Database<unknown>, Set<string>>();
    for (const { tables } of this.points.slice(at)) {
      for (const [table, entries] of tables) {
        const names = done.get(table) ?? new Set();
        done.set(table, names);
        for (const [name, { key, value }] of entries) {
          if (names.has(name)) continue;
          names.add(name);
          if (value === undefined) writes.remove(table, key);
          else writes.put(table, key, value);
        }
      }
    }
    return writes;
  }

  dropAfter(id: string): void {
    const at = this.points.findIndex((point) => point.id === id);
    this.points = this.points.slice(0, at);
    this.add(id);
  }
}

function entriesOf({ tables }: SavePoint, table: Database<unknown>): Map<string, Before> {
  const known = tables.get(table);
  if (known) return known;
  const entries = new Map<string, Before>();
  tables.set(table, entries);
  return entries;
}

const nameOf = (key: TableKey): string => (typeof key === 'string' ? key : JSON.stringify(key));
