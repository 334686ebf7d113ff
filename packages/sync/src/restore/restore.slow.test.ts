/** A restore killed at any step: the next start resumes, and no part of a state is ever readable. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CHECKPOINT_CHUNK_SIZE } from '@netd/protocol';
import { NetNode } from '@netd/node';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { plays } from '@netd/protocol/testing';
import { verifyDatabase } from '@netd/engine';

const CHILD = fileURLToPath(import.meta.resolve('@netd/testkit/restore-child'));

/** The step at which each process dies, in the same directory; `-` lets the last one finish. */
const LIVES = plays(
  ['chunks@3', 'tree@1', 'history@1', '-'],
  ['chunks@1', 'chunks@3', 'pairs@1', 'tree@1', 'tree@256', 'done@1', 'history@1', '-'],
);

interface Life {
  lines: string[];
  signal: string | null;
}

async function live(dataDir: string, origin: string, plan: string): Promise<Life> {
  const child = spawn(process.execPath, [CHILD, dataDir, origin, plan], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const guard = setTimeout(() => child.kill('SIGTERM'), 120_000);
  const closed = once(child, 'close');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'whole') child.kill('SIGKILL');
  }
  const [, signal] = (await closed) as [number | null, string | null];
  clearTimeout(guard);
  return { lines, signal };
}

test('resumes after a kill at each step, and ends with the database that replay makes', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  const names = Array.from({ length: 300 }, (_, i) => `agent-${i}`);
  const description = 'd'.repeat(280);
  await Promise.all(names.map((name) => writer.join(name, { description })));
  for (let count = 0; count < 40; count++) await writer.join(`late-${count}`);
  const dataDir = tempDir(t);
  const chain = join(dataDir, 'chain', 'data.mdb');
  const had: number[] = [];
  let total = 0;
  for (const plan of LIVES) {
    const isRestored = existsSync(chain);
    const { lines, signal } = await live(dataDir, writer.url, plan);
    assert.equal(signal, 'SIGKILL', `${plan}: ${lines.join('\n')}`);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('fallback')),
      [],
    );
    const begins = lines.find((line) => line.startsWith('begins'));
    if (isRestored) assert.equal(begins, undefined, `${plan}: it begins anew`);
    else had.push(Number(begins?.split(' ')[2]));
    total = Number(begins?.split(' ')[3] ?? total);
    const [phase] = plan.split('@');
    const isBefore = ['chunks', 'pairs', 'tree'].includes(String(phase));
    assert.equal(existsSync(chain), !isBefore, `${plan}: a database is there`);
    if (isBefore) {
      await assert.rejects(NetNode.start({ dataDir }), /belongs to a follower/);
    }
  }
  assert.equal(had[0], 0);
  assert.ok(
    had.slice(1).every((bytes, life) => bytes >= (had[life] ?? 0)),
    `bytes at hand at each start: ${had.join(' ')}`,
  );
  assert.equal(had.at(-1), total, 'all chunks stayed');
  assert.ok(total > CHECKPOINT_CHUNK_SIZE, `${total} bytes are more than one chunk`);
  const report = await verifyDatabase(join(dataDir, 'chain'), {});
  assert.equal(report.fault, null);
  assert.equal(report.height, writer.height);
});
