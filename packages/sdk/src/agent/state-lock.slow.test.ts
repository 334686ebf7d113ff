import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { build } from 'rolldown';
import { firstLine } from '@netd/protocol/testing';
import { NODE_VERSIONS, nodeProgram } from '../../../../scripts/node-environment.ts';
import { pythonSdkEnvironment } from '../../../../scripts/python-environment.ts';
import { takeStateLock } from './state-lock.ts';

const PYTHON_SOURCES = fileURLToPath(new URL('../../../../clients/python/src', import.meta.url));
const HOLDER = fileURLToPath(new URL('testing/lock-holder.ts', import.meta.url));

test('the lock of an agent is held by one, given back, and goes with a process that is killed', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'netd-agent-lock-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const unlock = await takeStateLock(path);
  await assert.rejects(takeStateLock(path), {
    code: 'AGENT_RUNNING',
    message: /this process already runs it/,
  });
  await unlock();
  // One process has both locks. The other has only the socket, as with an old Node.
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

/** Takes the lock of the agent `ada` as netsdk does. */
const PYTHON_HOLDER = `
import sys, time
from netsdk.agent.home import AgentError, FileState
try:
    state = FileState(sys.argv[1] + "/keys", "chain", "ada")
    print("locked", flush=True)
    time.sleep(600)
except AgentError as error:
    print(error.code)
`;

test('runtimes of one machine keep each other out', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-agent-lock-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'agents/chain/ada');
  mkdirSync(path, { recursive: true });
  const script = join(home, 'holder.mjs');
  await build({
    input: HOLDER,
    platform: 'node',
    transform: { target: 'node20' },
    output: { file: script, format: 'esm' },
    logLevel: 'warn',
  });
  const [oldest] = NODE_VERSIONS;
  const node20 = await nodeProgram(oldest, `the lock of an agent under Node ${oldest}`);
  const python = await pythonSdkEnvironment('the lock of an agent under Python');
  const commands = [
    [process.execPath, script, path],
    ...(node20 === null ? [] : [[node20, script, path]]),
    ...(python === null ? [] : [[join(python, 'python'), '-c', PYTHON_HOLDER, home]]),
  ];
  const start = ([program = '', ...args]: string[]): ChildProcess => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PYTHONPATH: PYTHON_SOURCES },
    });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  for (const first of commands) {
    const holder = start(first);
    assert.equal(await firstLine(holder), 'locked');
    for (const second of commands.filter((other) => other !== first)) {
      assert.equal(await firstLine(start(second)), 'AGENT_RUNNING', `${first[0]} and ${second[0]}`);
    }
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
});
