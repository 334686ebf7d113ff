/** Dumps a database as text for comparison. */
import type { Store } from '@netd/engine';
import { TABLES, type TableName } from '@netd/engine/testing';

export function dump(store: Store): Map<TableName, string[]> {
  const snapshot = store.snapshot();
  const names = Object.keys(TABLES) as TableName[];
  const tables = names.map((name): [TableName, string[]] => {
    const entries = [...snapshot.entries(name)].map(({ key, value }) => {
      const shown = Buffer.isBuffer(key) ? key.toString('hex') : key;
      return JSON.stringify([shown, Buffer.isBuffer(value) ? value.toString('hex') : value]);
    });
    return [name, entries];
  });
  snapshot.close();
  return new Map(tables);
}
