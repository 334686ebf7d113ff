/** A validator's record of its last signature detects a backup restored over it. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import { readLastSigned, requireLastSigned, SigningRecord } from './last-signed.ts';

const GENESIS = sha256Hex('genesis');
const hashOf = (height: number): string => sha256Hex(`block ${height}`);
const chainAt = (height: number) => ({
  genesisHash: GENESIS,
  head: { height, blockHash: hashOf(height) },
  blockHashAt: hashOf,
});

function begun(t: TestContext): string {
  const path = join(tempDir(t), 'last-signed.json');
  requireLastSigned(path, chainAt(0));
  return path;
}

async function sign(path: string, from: number, to: number): Promise<void> {
  const record = new SigningRecord(path, GENESIS);
  for (let height = from; height <= to; height++) record.note(height, hashOf(height));
  await record.settled();
  await record.close();
}

test('it goes on from start to start, over many blocks', async (t) => {
  const path = begun(t);
  for (const [from, to] of [
    [1, 3],
    [4, 600],
    [601, 601],
  ] as const) {
    requireLastSigned(path, chainAt(from - 1));
    await sign(path, from, to);
  }
  const { height, blockHash, isCopied } = readLastSigned(path)!;
  assert.deepEqual([height, blockHash, isCopied], [601, hashOf(601), false]);
  assert.equal(statSync(path).size, 512);
  assert.throws(() => requireLastSigned(path, chainAt(600)), /ends at block 600: it is an older/);
});

test('a copy of an earlier run that is written over the file is known as a copy', async (t) => {
  const path = begun(t);
  await sign(path, 1, 3);
  const copy = readFileSync(path);
  await sign(path, 4, 9);
  writeFileSync(path, copy, { flag: 'r+' });
  assert.throws(() => requireLastSigned(path, chainAt(3)), /is a copy: .*netd recover/s);
});

test('so is a copy that was made while it ran, some blocks later', async (t) => {
  const path = begun(t);
  const record = new SigningRecord(path, GENESIS);
  record.note(1, hashOf(1));
  const copy = readFileSync(path);
  for (let height = 2; height <= 300; height++) record.note(height, hashOf(height));
  await record.settled();
  await record.close();
  writeFileSync(path, copy, { flag: 'r+' });
  assert.throws(() => requireLastSigned(path, chainAt(1)), /is a copy/);
});
