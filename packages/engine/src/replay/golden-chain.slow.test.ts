/**
 * The golden chain on a real database: every table has entries, and `netd verify` finds a change in any of
 * them.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { plays } from '@netd/protocol/testing';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { convert } from '../restore/convert.ts';
import { swap } from '../restore/swap.ts';
import { rebuildLists } from '../store/rebuild-lists.ts';
import { Store } from '../store/store.ts';
import { STORE_FORMAT, TABLES, type TableName } from '../store/tables.ts';
import { goldenChain, goldenSource } from '@netd/testkit/golden-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { Replay } from './replay.ts';
import { verifyDatabase } from './verify.ts';

const golden = goldenChain();
const source = goldenSource(golden);

const verifier = new VerifierPool();
const path = tempDir({ after });

async function inStore<Result>(work: (store: Store) => Result | Promise<Result>): Promise<Result> {
  const store = Store.open(path, { scratch: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

before(() => inStore((store) => new Replay(source, store, verifier, () => {}).run()));
after(() => verifier.close());

test('a replay into a database gives every root, and something in every table', async () => {
  await inStore((store) => {
    const snapshot = store.snapshot();
    try {
      assert.deepEqual(snapshot.block.header, golden.blocks.at(-1)?.header);
      const empty = (Object.keys(TABLES) as TableName[]).filter(
        (table) => snapshot.entries(table)[Symbol.iterator]().next().done,
      );
      assert.deepEqual(empty, []);
    } finally {
      snapshot.close();
    }
  });
});

/** Databases that earlier versions wrote with `scripts/make-database-fixture.ts`, one of each form. */
const FIXTURES = new URL('../../fixtures/', import.meta.url);

test('converts each older form of the database, rebuilds its lists if need be, and verifies all of it', async (t) => {
  const formats = readdirSync(FIXTURES).filter((name) => name.endsWith('.mdb.br'));
  const directory = tempDir(t);
  // A new format number needs a fixture of its own. The older fixtures are converted below.
  assert.ok(formats.includes(`format-${STORE_FORMAT}.mdb.br`));
  for (const name of formats) {
    const chain = join(directory, name.replace('.mdb.br', ''));
    mkdirSync(chain);
    const database = brotliDecompressSync(readFileSync(new URL(name, FIXTURES)));
    writeFileSync(join(chain, 'data.mdb'), database);
    if ((await Store.describe(chain)).format === STORE_FORMAT) await rebuildLists(chain);
    else {
      await convert(chain);
      swap(chain);
    }
    // Replays the chain of the fixture, and compares every table with what today's code writes.
    const { fault, height } = await verifyDatabase(chain, {});
    assert.deepEqual([fault, height > 0], [null, true], name);
  }
});

test('verify accepts the database, and names any table from which an entry is missing', async () => {
  assert.equal((await verifyDatabase(path, {})).fault, null);
  const tables = (Object.keys(TABLES) as TableName[]).filter((table) => table !== 'meta');
  // A build checks every third table.
  const some = tables.filter((_table, index) => index % 3 === 0);
  for (const table of plays(some, tables)) {
    const taken = await inStore(async (store) => {
      const handle = store.tables[table] as unknown as {
        getRange(options: { limit: number; reverse: boolean }): Iterable<{
          key: never;
          value: never;
        }>;
        remove(key: never): Promise<boolean>;
      };
      const [last] = handle.getRange({ limit: 1, reverse: true });
      assert.ok(last, table);
      await handle.remove(last.key);
      return last;
    });
    const { ok, fault } = await verifyDatabase(path, {});
    assert.equal(ok, false, `${table}: nothing was found`);
    assert.ok(fault && fault.reason.length > 0, table);
    await inStore(async (store) => {
      const handle = store.tables[table] as unknown as {
        put(key: never, value: never): Promise<boolean>;
      };
      await handle.put(taken.key, taken.value);
    });
  }
  assert.equal((await verifyDatabase(path, {})).fault, null);
});
