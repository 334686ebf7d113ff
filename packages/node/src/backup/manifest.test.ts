/** Backups from anywhere: files without an end are refused before they are read. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { readManifest, requireFiles, type BackupManifest } from './manifest.ts';

const directory = tempDir({ after });

test('refuses a device in place of a file', async () => {
  mkdirSync(join(directory, 'database-1'));
  symlinkSync('/dev/zero', join(directory, 'database-1/data.mdb'));
  const database = {
    path: 'database-1/data.mdb',
    bytes: 4_096,
    sha256: '',
    height: 1,
    blockHash: '',
  };
  const manifest = { database, blocks: [], documents: [] } as unknown as BackupManifest;
  await assert.rejects(requireFiles(directory, manifest), /is not a file of 4096 bytes/);
});

test('refuses a manifest of gigabytes', () => {
  writeFileSync(join(directory, 'backup.json'), '{}');
  truncateSync(join(directory, 'backup.json'), 5 * 2 ** 30);
  assert.throws(() => readManifest(directory), /is not as netd backup wrote it/);
});

test('refuses a manifest whose words are not those of a chain, and repeats none of them', () => {
  const file = { path: 'database-1/data.mdb', bytes: 1, sha256: 'a'.repeat(64) };
  const hash = 'b'.repeat(64);
  const manifest = {
    schema: 'NET-BACKUP/1',
    version: '1.2.3',
    chainId: 'net-1',
    genesisHash: hash,
    storeFormat: 9,
    height: 2,
    blockHash: hash,
    stateRoot: hash,
    madeAt: '2026-01-01T00:00:00.000Z',
    follower: false,
    database: { ...file, height: 1, blockHash: hash },
    blocks: [{ ...file, path: 'blocks-2-2.jsonl.gz', from: 2, to: 2 }],
    documents: [{ ...file, path: 'genesis.json' }],
  };
  const place = tempDir({ after });
  const put = (change: object): BackupManifest | null => {
    writeFileSync(join(place, 'backup.json'), JSON.stringify({ ...manifest, ...change }));
    return readManifest(place);
  };
  assert.equal(put({})?.chainId, 'net-1');
  for (const change of [
    { chainId: 'net\u001b[2J' },
    { version: '1\u001b[2J' },
    { height: '2\u001b[2J' },
    { height: -1 },
    { storeFormat: '9' },
    { blockHash: '\u001b[2J' },
    { follower: 'no' },
    { blocks: [{ ...file, path: 'blocks-2-2.jsonl.gz', from: '2', to: 2 }] },
    { database: { ...file, sha256: '\u001b', height: 1, blockHash: hash } },
    { blocks: null },
    { documents: [null] },
  ]) {
    assert.throws(() => put(change), {
      message: `${join(place, 'backup.json')} is not as netd backup wrote it: name another directory`,
    });
  }
});
