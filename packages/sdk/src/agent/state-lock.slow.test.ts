import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { firstLine } from '@netd/protocol/testing';
import { takeStateLock } from './state-lock.ts';

const HOLDER = fileURLToPath(new URL('testing/lock-holder.ts', import.meta.url));

test('the lock of an agent is held by one, given back, and goes with a process that is killed', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'netd-agent-lock-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const unlock = await takeStateLock(path);
  await assert.rejects(takeStateLock(path), { code: 'AGENT_RUNNING' });
  await unlock();
  // One process that has both locks, and one that has the socket only, as an old Node does.
  for (const way of ['both', 'socket']) {
    const child = spawn(process.execPath, [HOLDER, path, way], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    await firstLine(child);
    await assert.rejects(takeStateLock(path), { code: 'AGENT_RUNNING' }, way);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (
      await takeStateLock(path)
    )();
  }
});
