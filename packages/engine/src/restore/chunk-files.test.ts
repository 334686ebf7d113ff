/** Chunks of a checkpoint on disk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import { ChunkFiles, type RestorePoint } from './chunk-files.ts';

test('a chunk that several origins bring at once is written', async (t) => {
  const bytes = Buffer.alloc(100_000, 7);
  const chunkHashes = [sha256Hex(bytes)];
  const checkpoint = { byteLength: bytes.length, chunkSize: bytes.length, chunkHashes };
  const point = { checkpoint, blocks: [], tellers: [] } as unknown as RestorePoint;
  const files = ChunkFiles.begin(tempDir(t), point);
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 4 }, () => files.write(0, bytes)));
    assert.deepEqual(await files.missing(), []);
    assert.deepEqual(await files.read(0), bytes);
  }
});
