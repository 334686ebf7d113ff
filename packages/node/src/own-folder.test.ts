import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { DataDirError } from '@netd/engine';
import { tempDir } from '@netd/testkit/temp-dir';
import { lockDataDir } from './data-dir-lock.ts';
import type { FolderKind } from './own-folder.ts';

function put(root: string, name: string, text = ''): string {
  mkdirSync(join(root, dirname(name)), { recursive: true });
  writeFileSync(join(root, name), text);
  return root;
}

describe('a folder without a marker', () => {
  const taken: [FolderKind, string][] = [
    ['node', 'checkpoints/epoch-3.pt'],
    ['node', 'keys/id_rsa'],
    ['node', 'demo/package.json'],
    ['store', 'incoming/invoice.pdf'],
    ['testnet', 'validator-1/readme'],
    ['backup', 'database-1/dump.sql'],
    ['node', 'node.json'],
    ['store', 'node.lock'],
  ];
  for (const [kind, name] of taken) {
    it(`is refused as a ${kind} if it has ${name}, and stays as it is`, (t) => {
      const root = put(tempDir(t), name, 'x');
      assert.throws(() => lockDataDir(root, kind), DataDirError);
      assert.deepEqual(readdirSync(root), [name.split('/')[0]]);
    });
  }

  it('is refused if none can be written, and accepted later', (t) => {
    const root = tempDir(t);
    // The write fails, as on a full disk.
    symlinkSync('missing/file', join(root, '.netd-folder.json'));
    assert.throws(() => lockDataDir(root), DataDirError);
    lockDataDir(root)();
  });

  it('is taken with other files in it, which stay', (t) => {
    const root = put(put(tempDir(t), 'lost+found/x'), 'netd.toml');
    lockDataDir(root)();
    assert.deepEqual(readdirSync(root).toSorted(), ['lost+found', 'netd.toml', 'node.lock']);
  });

  const ours: [FolderKind, string, string][] = [
    ['node', 'genesis.json', '{"schema":"NET-GENESIS/1"}'],
    ['node', 'chain/data.mdb', ''],
    ['node', 'keys/operator.json', '{"schema":"NET-AGENT-KEY/1"}'],
    ['store', 'catalogue/data.mdb', ''],
    ['testnet', 'testnet.json', '{"schema":"NET-TESTNET/1"}'],
    ['backup', 'backup.json', '{"schema":"NET-BACKUP/1"}'],
  ];
  for (const [kind, name, text] of ours) {
    it(`gets one as a ${kind} if it has our ${name}`, (t) => {
      const root = put(put(tempDir(t), name, text), 'checkpoints/x');
      lockDataDir(root, kind)();
      assert.equal(readdirSync(root).includes('.netd-folder.json'), true);
    });
  }
});

it('a folder with a marker is taken for the same use only', (t) => {
  const root = tempDir(t);
  const unlock = lockDataDir(root, 'store');
  put(root, 'incoming/x');
  unlock();
  lockDataDir(root, 'store')();
  assert.throws(() => lockDataDir(root, 'node'), /is a store for blobs/);
});
