/** Block files of netd backup, and files that would fill the memory. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tempDir } from '@netd/testkit/temp-dir';
import { blocksIn } from './blocks-file.ts';

const path = join(tempDir({ after }), 'blocks.jsonl.gz');
const block = (transitions: unknown) =>
  JSON.stringify({ header: { height: 1 }, certificate: { votes: [] }, transitions });

async function read(packed: Buffer): Promise<unknown[]> {
  writeFileSync(path, packed);
  const blocks = [];
  for await (const one of blocksIn(path)) blocks.push(one);
  return blocks;
}

test('yields the blocks of a file, however its lines fall into chunks', async () => {
  const transitions = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(1_000, '"'));
  const lines = [block([]), block(transitions), block(['ü'])];
  const blocks = await read(gzipSync(`${lines.join('\n')}\n`));
  assert.deepEqual(
    blocks,
    lines.map((line) => JSON.parse(line) as unknown),
  );
});

test('refuses what no backup contains', async () => {
  const cases: [what: string, packed: Buffer, reason: RegExp][] = [
    ['a line without an end', gzipSync(Buffer.alloc(100 * 1_048_576)), /longer than any block/],
    [
      'a long header',
      gzipSync(`${block([]).replace('[]', `["${'x'.repeat(1_100_000)}"]`)}\n`),
      /too long/,
    ],
    ['a long transition', gzipSync(`${block(['x'.repeat(70_000)])}\n`), /not a block/],
    ['too many transitions', gzipSync(`${block(Array(5_001).fill('x'))}\n`), /not a block/],
    ['other JSON', gzipSync('null\n'), /not a block/],
    ['no JSON', gzipSync('x\n'), /not JSON/],
    ['a cut line', gzipSync(block([])), /no end/],
    ['no gzip', Buffer.from('x'), /cannot be unpacked/],
    ['cut gzip', gzipSync(block([])).subarray(0, 30), /cannot be unpacked/],
  ];
  for (const [what, packed, reason] of cases) {
    await assert.rejects(read(packed), { name: 'BlocksFileError', message: reason }, what);
  }
});
