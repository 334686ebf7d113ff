/** Disk writes of an idle chain. Decision 004 explains its empty blocks and their cost. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { serve } from './serve.ts';

/** Enough blocks, because the file grows by several pages at a time. */
const BLOCKS = 160;

/** Returns the bytes that this process has written so far; null if the system does not count them. */
function written(): number | null {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function sizeOf(path: string): number {
  let bytes = 0;
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(path, name));
    if (file.isFile()) bytes += file.size;
  }
  return bytes;
}

test('an empty block writes 64 KiB at most, and leaves 4 KiB at most on the disk', async (t) => {
  const dataDir = tempDir(t);
  const running = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    blockTime: 1,
    idleBlockTime: 1,
  });
  try {
    const { chain } = running.node;
    const reach = async (height: number): Promise<void> => {
      while (chain.height < height) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    // The first blocks create the file.
    await reach(30);
    const before = { height: chain.height, written: written(), size: sizeOf(dataDir) };
    await reach(before.height + BLOCKS);
    const after = { written: written(), size: sizeOf(dataDir), height: chain.height };
    const blocks = after.height - before.height;
    const kept = (after.size - before.size) / blocks;
    assert.ok(kept <= 4_096, `${kept} bytes kept of each`);
    if (before.written === null || after.written === null)
      return t.diagnostic('this system does not count what a process writes');
    const each = (after.written - before.written) / blocks;
    assert.ok(each > 1_000 && each <= 65_536, `${each} bytes written for each`);
  } finally {
    await running.stop();
  }
});
