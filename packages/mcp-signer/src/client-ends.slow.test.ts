/** The server ends with its client, even if another process holds a pipe. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeSessionFile } from '@netd/sdk/internal';

const CHILD = fileURLToPath(new URL('testing/child.ts', import.meta.url));
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'netd-test', version: '1' },
  },
});

/**
 * Starts a client in a shell.
 * @param script starts the server, `"$@"`, in a new folder
 */
async function clientOf(t: TestContext, script: string): Promise<ChildProcess> {
  const cwd = mkdtempSync(join(tmpdir(), 'netd-client-'));
  const path = join(cwd, 'session.json');
  const names = { chainId: 'net-x', actorId: 'ada', sessionId: 's' };
  writeFileSync(path, JSON.stringify(await makeSessionFile(names, null)), { mode: 0o600 });
  const options = { path, url: 'http://127.0.0.1:9', askAbove: 0, keys: join(cwd, 'keys') };
  const client = spawn('sh', ['-c', script, 'sh', process.execPath, CHILD], {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', MCP_CHILD: JSON.stringify(options), INITIALIZE },
  });
  t.after(() => {
    const holder = join(cwd, 'holder');
    if (existsSync(holder)) process.kill(Number(readFileSync(holder, 'utf8')));
    client.stdin?.destroy();
    rmSync(cwd, { recursive: true });
  });
  return client;
}

test('a server ends with its client though another process holds the pipe', async (t) => {
  const client = await clientOf(
    t,
    `mkfifo pipe
     { echo "$INITIALIZE"; exec sleep 600; } >pipe &
     echo $! >holder
     "$@" <pipe &
     wait`,
  );
  const [answer] = (await once(client.stdout ?? assert.fail(), 'data')) as [Buffer];
  assert.match(answer.toString(), /"serverInfo"/);
  client.kill('SIGKILL');
  // Closes when the server does.
  await once(client, 'close');
});

test('a server ends once its output has no reader', async (t) => {
  const client = await clientOf(t, 'exec "$@"');
  client.stdout?.destroy();
  client.stdin?.write(`${INITIALIZE}\n`);
  assert.deepEqual(await once(client, 'exit'), [0, null]);
});
