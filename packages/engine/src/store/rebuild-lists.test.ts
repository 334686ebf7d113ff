/** Lists of another version are rebuilt from the records in bounded steps, and again after a crash. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { dump } from '@netd/testkit/dump-store';
import { tempDir } from '@netd/testkit/temp-dir';
import { DERIVED_FINGERPRINTS, DERIVED_TEXT } from './derived-fingerprints.ts';
import { DerivedWrites } from './derived-writes.ts';
import { type ListRebuildProgress, rebuildLists } from './rebuild-lists.ts';
import { Store } from './store.ts';
import { EMPTY, STORE_FORMAT } from './tables.ts';
import { Writes } from './writes.ts';

const SAMPLES = new URL('../../fixtures/listed-records.jsonl', import.meta.url);
const samples = readFileSync(SAMPLES, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [collection: string, record: unknown]);
/** More than two steps of a walk. */
const COPIES = Math.ceil(2_500 / samples.filter(([name]) => name === 'order').length);
const OUTDATED = JSON.stringify({ ...DERIVED_FINGERPRINTS, order: 'other', session: 'other' });

const path = tempDir({ after });
const scratch = { scratch: true } as const;

async function withStore<Result>(
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const store = Store.open(path, { ...scratch, anyLists: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The database as this version writes it. */
const written = await withStore(async (store) => {
  const writes = new Writes();
  const derived = new DerivedWrites(store);
  for (const [at, [collection, record]] of samples.entries()) {
    for (let copy = 0; copy < (collection === 'order' ? COPIES : 2); copy++) {
      const key = `${collection}/${at}-${copy}`;
      writes.put(store.tables.state, key, JSON.stringify(record));
      derived.put(writes, key, { before: () => undefined, after: () => record });
    }
  }
  writes.put(store.tables.meta, 'format', String(STORE_FORMAT));
  writes.put(store.tables.meta, 'head', '7');
  writes.put(store.tables.meta, 'derived', DERIVED_TEXT);
  await store.writeAll(writes);
  store.refresh();
  return dump(store);
});

/** Removes a third of the orders' entries, and adds entries of a list and a queue that this version lacks. */
const outdate = (): Promise<void> =>
  withStore(async (store) => {
    const writes = new Writes();
    const { lists, due, meta } = store.tables;
    for (const table of [lists, due]) {
      for (const [at, key] of [...table.getKeys()].entries()) {
        const stateKey = (key as unknown[]).at(-1);
        if (at % 3 === 0 && /^(?:order|session)\//.test(String(stateKey)))
          writes.remove(table, key);
      }
    }
    writes.put(due, ['gone', 5, 'order/0-0'], EMPTY);
    for (let at = 0; at < 1_500; at++) writes.put(lists, ['gone', 'x', at, `order/${at}`], EMPTY);
    writes.put(meta, 'derived', OUTDATED);
    await store.writeAll(writes);
  });

test('rebuilds the lists of the collections that differ, and reports its progress', async () => {
  await outdate();
  assert.throws(() => Store.open(path), /lists of another version \(order, session\)/);
  const reports: ListRebuildProgress[] = [];
  const onProgress = (progress: ListRebuildProgress): void => void reports.push(progress);
  assert.deepEqual(await rebuildLists(path, { ...scratch, onProgress }), ['order', 'session']);
  assert.deepEqual(await withStore(dump), written);
  const { done, total } = reports.at(-2) ?? { done: 0, total: 0 };
  assert.ok(reports.length > 5 && done > 0 && done <= total);
  assert.deepEqual(
    reports.map(({ finished }) => finished),
    reports.map((_, at) => at === reports.length - 1),
  );
  assert.deepEqual(await rebuildLists(path, scratch), [], 'nothing is left to rebuild');
});

test('begins again after a stop in any step, and the database is refused until it has finished', async () => {
  for (const step of [1, 4, 6]) {
    await outdate();
    const stop = new AbortController();
    let reports = 0;
    const stopping = rebuildLists(path, {
      ...scratch,
      signal: stop.signal,
      onProgress: () => {
        if (++reports === step) stop.abort(new Error('stopped'));
      },
    });
    await assert.rejects(stopping, /stopped/);
    assert.throws(() => Store.open(path), /lists of another version \(order, session\)/, `${step}`);
    assert.deepEqual(await rebuildLists(path, scratch), ['order', 'session']);
    assert.deepEqual(await withStore(dump), written, `after a stop in step ${step}`);
  }
});

test('does nothing without a database, and for the base of a fork, which has no block', async (t) => {
  assert.deepEqual(await rebuildLists(tempDir(t)), []);
  await outdate();
  await withStore((store) => store.tables.meta.remove('head'));
  assert.deepEqual(await rebuildLists(path, scratch), []);
});
