import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ProcessGroup } from './process-group.ts';

const GRANDPARENT = fileURLToPath(new URL('testing/grandparent.ts', import.meta.url));

function start(
  t: TestContext,
  then: 'answer' | 'end' | 'hang',
): { group: ProcessGroup<{ pid: number }>; grandchild: () => Promise<number> } {
  const directory = mkdtempSync(join(tmpdir(), 'netd-bench-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const pidFile = join(directory, 'pid');
  return {
    group: new ProcessGroup(GRANDPARENT, [pidFile, then], directory),
    grandchild: async () => {
      while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(10);
      return Number(readFileSync(pidFile, 'utf8'));
    },
  };
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let round = 0; round < 3_000; round++) {
    if (!isRunning(pid)) return true;
    await sleep(20);
  }
  return false;
}

/** An ended process stays listed until its parent has read its status. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a group ends with its first message, and everything in it', async (t) => {
  const { group } = start(t, 'answer');
  const { pid } = await group.message(30);
  assert.ok(await hasEnded(pid));
});

test('a program that says nothing in time is ended with all it started', async (t) => {
  const { group, grandchild } = start(t, 'hang');
  const pid = await grandchild();
  await assert.rejects(group.message(0.2), /it took more than 0.2 s/);
  assert.ok(await hasEnded(pid));
});

test('what a program leaves behind when it ends is ended too', async (t) => {
  const { group, grandchild } = start(t, 'end');
  await assert.rejects(group.message(30), /it ended without a result \(3\)/);
  assert.ok(await hasEnded(await grandchild()));
});
