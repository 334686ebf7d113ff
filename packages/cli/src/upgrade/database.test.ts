/** `netd upgrade` for databases of each kind. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Store, STORE_FORMAT, UPGRADE } from '@netd/engine';
import { NEWEST_RULES } from '@netd/ledger';
import { tempDir } from '@netd/testkit/temp-dir';
import { done, runHere } from '../testing/run-here.ts';

test('a database whose head has unknown rules is left to the release that has them', async (t) => {
  const dataDir = tempDir(t);
  const store = Store.open(join(dataDir, 'chain'));
  const version = NEWEST_RULES + 1;
  const active = { artifactHash: null, fromHeight: 7, previousVersion: 1, version };
  await store.tables.meta.put('head', '7');
  await store.tables.meta.put('format', String(STORE_FORMAT));
  await store.tables.state.put('rules/active', JSON.stringify(active));
  await store.close();
  const { code, stdout } = await runHere(['upgrade', '--check', '-d', dataDir]);
  assert.deepEqual([code, /go on with the release that executed it/.test(stdout)], [1, true]);
  assert.match(
    await done(['upgrade', '--prepare', '-d', dataDir]),
    /needs no conversion.*--check says/,
  );
  const back = await runHere(['upgrade', '--back', '-d', dataDir]);
  assert.deepEqual([back.code, /was never converted/.test(back.stderr)], [1, true], back.stderr);
});

test('a database of this format opens, others are told how the chain goes on', async (t) => {
  const dataDir = tempDir(t);
  const words = ['upgrade', '--check', '-d', dataDir];
  const none = await runHere(words);
  assert.deepEqual([none.code, /there is no chain in/.test(none.stderr)], [1, true]);
  const unchecked = await runHere(['upgrade', '-d', dataDir]);
  assert.deepEqual([unchecked.code, /say one of --check/.test(unchecked.stderr)], [2, true]);
  for (const [format, verdict, code, sentence] of [
    [STORE_FORMAT, 'opens', 0, /can go on here/],
    [STORE_FORMAT - 1, 'older', 1, /netd follow OLD_NODE --from genesis.*netd promote/],
    [STORE_FORMAT + 1, 'newer', 1, /A newer version wrote it/],
  ] as const) {
    const store = Store.open(join(dataDir, 'chain'));
    await store.tables.meta.put('head', '7');
    await store.tables.meta.put('format', String(format));
    await store.close();
    const told = await runHere(words);
    assert.equal(told.code, code, told.stderr);
    assert.match(told.stdout, sentence);
    const json = JSON.parse((await runHere([...words, '--json'])).stdout) as object;
    assert.deepEqual(json, { ...json, format, verdict, reads: STORE_FORMAT, height: 7 });
    const again = await Store.describe(join(dataDir, 'chain'));
    assert.deepEqual(again, { format, height: 7, partial: false, outdatedLists: [] });
    // A Store cannot open another format, so create the next one from scratch.
    rmSync(join(dataDir, 'chain'), { recursive: true });
  }
  const store = Store.open(join(dataDir, 'chain'));
  await store.tables.meta.put('format', String(STORE_FORMAT));
  await store.tables.meta.put('derived', '{"order":"other"}');
  await store.tables.state.put('order/x', '{}');
  await store.close();
  const told = await runHere(words);
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stdout, /At its first start it rebuilds the lists of order from the records/);
  const next = join(dataDir, 'chain', UPGRADE, 'next');
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, 'data.mdb'), '');
  const prepared = await runHere(words);
  assert.match(
    prepared.stdout,
    /A converted database is beside the old one\. Stop the old version/,
  );
  assert.doesNotMatch(prepared.stdout, /--prepare/);
});
