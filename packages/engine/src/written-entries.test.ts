import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { forgetChain } from './consensus/cometbft/index.ts';
import { DataDirError } from './data-dir-error.ts';
import { ChunkFiles } from './restore/chunk-files.ts';
import { LeafFiles } from './restore/leaf-files.ts';
import { clearPlace, DATABASE_ENTRIES, removeEntry, removeWritten } from './written-entries.ts';

function put(root: string, ...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), name);
  }
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted();

describe('written entries', () => {
  it('go, and all other entries stay and are named', (t) => {
    const root = tempDir(t);
    put(root, 'chain/data.mdb', 'chain/lock.mdb', 'chain/notes.txt');
    const chain = join(root, 'chain');
    assert.deepEqual(removeWritten(chain, DATABASE_ENTRIES), [join(chain, 'notes.txt')]);
    assert.deepEqual(filesIn(root), ['notes.txt']);
    assert.throws(() => clearPlace(chain, DATABASE_ENTRIES), DataDirError);
  });

  it('take their folder with them if nothing else is in it, but not a link to it', (t) => {
    const root = tempDir(t);
    put(root, 'chain/data.mdb', 'elsewhere/data.mdb');
    symlinkSync(join(root, 'elsewhere'), join(root, 'link'));
    assert.deepEqual(removeWritten(join(root, 'chain'), DATABASE_ENTRIES), []);
    assert.deepEqual(removeWritten(join(root, 'link'), DATABASE_ENTRIES), []);
    assert.deepEqual(removeWritten(join(root, 'missing'), DATABASE_ENTRIES), []);
    assert.deepEqual(readdirSync(root).toSorted(), ['elsewhere', 'link']);
    assert.deepEqual(filesIn(root), []);
  });

  it('are no documents without a schema of ours, and no folders in place of a file', (t) => {
    const root = tempDir(t);
    writeFileSync(join(root, 'ours.json'), '{"schema":"NET-DEV/1"}');
    writeFileSync(join(root, 'theirs.json'), '{"schema":"http://json-schema.org"}');
    mkdirSync(join(root, 'data.mdb'));
    for (const name of readdirSync(root)) {
      removeEntry(root, name, [[/\.json$/, 'document'], ...DATABASE_ENTRIES]);
    }
    assert.deepEqual(readdirSync(root).toSorted(), ['data.mdb', 'theirs.json']);
  });
});

it('keeps foreign files beside chunks, leaves and CometBFT data', (t) => {
  const root = tempDir(t);
  const [chunks, leaves] = [join(root, 'checkpoint'), join(root, 'leaves')];
  put(root, 'checkpoint/chunk-0', 'checkpoint/model.pt', 'leaves/7', 'leaves/oak.jpg');
  put(root, 'data/state.db/000001.log', 'data/state.db/CURRENT', 'data/cs.wal/wal');
  put(root, 'data/state.db/notes.txt', 'data/priv_validator_state.json', 'data/tx_index.db');
  ChunkFiles.begin(chunks, { blocks: [], tellers: [] } as never).remove();
  new LeafFiles(leaves).close();
  forgetChain(root);
  assert.deepEqual(filesIn(root), [
    'model.pt',
    'notes.txt',
    'oak.jpg',
    'priv_validator_state.json',
    'tx_index.db',
  ]);
  assert.equal(existsSync(join(root, 'data', 'cs.wal')), false);
});
