import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { NetNode } from './node.ts';
import { tempDir } from '@netd/testkit/temp-dir';
import { Store } from '@netd/engine';

const dataDir = mkdtempSync(join(tmpdir(), 'netd-database-'));

before(async () => {
  const node = await NetNode.start({ dataDir });
  await node.stop();
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

const flip =
  (at: number) =>
  (file: string): void => {
    const bytes = readFileSync(file);
    for (const page of [0, 4_096]) bytes[page + at] = (bytes[page + at] ?? 0) ^ 0x5a;
    writeFileSync(file, bytes);
  };

describe('a database file that would end the process', () => {
  const damages: [name: string, damage: (file: string) => void, reason: RegExp][] = [
    ['that is a text', (file) => writeFileSync(file, 'hello'), /is no database/],
    ['of zeros', (file) => writeFileSync(file, Buffer.alloc(409_600)), /is no database/],
    [
      'whose first page is gone',
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0, 0, 4_096));
      },
      /is no database, or its first pages are damaged/,
    ],
    [
      'whose second page is gone',
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(255, 4_096, 8_192));
      },
      /first pages are damaged/,
    ],
    // Both copies of the meta page are damaged, because one of them is the newest.
    ['with another root of the free pages', flip(48 + 40), /first pages of .* are damaged/],
    ['with another root of the tables', flip(96 + 40), /first pages of .* are damaged/],
    ['that is cut short', (file) => truncateSync(file, 9_000), /is cut short, it had \d+ pages/],
  ];
  for (const [name, damage, reason] of damages) {
    test(`${name} is refused in a sentence that says what to do`, async (t) => {
      const copy = join(tempDir(t), 'data');
      cpSync(dataDir, copy, { recursive: true });
      damage(join(copy, 'chain', 'data.mdb'));
      for (const readOnly of [true, false]) {
        const open = (): Store => Store.open(join(copy, 'chain'), { readOnly });
        assert.throws(open, { name: 'StoreError', message: reason });
        assert.throws(open, /put chain\/ back from a backup/);
      }
      await assert.rejects(NetNode.start({ dataDir: copy }), { name: 'StoreError' });
    });
  }

  test('that is not there yet, or empty, is made', async (t) => {
    const path = join(tempDir(t), 'chain');
    await Store.open(path).close();
    writeFileSync(join(path, 'data.mdb'), '');
    await Store.open(path).close();
  });
});

test('a start over what is no database says what to do', async (t) => {
  const copy = join(tempDir(t), 'data');
  cpSync(dataDir, copy, { recursive: true });
  rmSync(join(copy, 'chain'), { recursive: true });
  writeFileSync(join(copy, 'chain'), '');
  await assert.rejects(NetNode.start({ dataDir: copy }), /DataDirError: .* is a file/);
  rmSync(join(copy, 'chain'));
  const file = join(copy, 'chain', 'data.mdb');
  cpSync(join(dataDir, 'chain'), join(copy, 'chain'), { recursive: true });
  // Damage every copy of the head's text, in old pages too, because one of them is current.
  const bytes = readFileSync(file);
  for (
    let at = bytes.indexOf('{"certificate":');
    at > 0;
    at = bytes.indexOf('{"certificate":', at + 1)
  ) {
    bytes[at] = 0x78;
  }
  writeFileSync(file, bytes);
  await assert.rejects(NetNode.start({ dataDir: copy }), {
    name: 'StoreError',
    message: /the database in .* cannot be read \(.*\): put chain\/ back/,
  });
});
