/** Backups that come from anywhere: what has no end is refused before it is read. */
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
