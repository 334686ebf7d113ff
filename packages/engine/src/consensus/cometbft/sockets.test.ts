import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { makeSockets, socketsOf } from './sockets.ts';

test('what a start before has left is taken away, unless something speaks there', async (t) => {
  const home = tempDir(t);
  mkdirSync(join(home, 'config'));
  const note = (folder: string): void =>
    writeFileSync(join(home, 'config/config.toml'), `proxy_app = "unix://${folder}/abci"\n`);

  const first = await makeSockets(home);
  assert.equal(statSync(first).mode & 0o777, 0o700);
  note(first);
  assert.equal(socketsOf(home), first);
  await leaveSockets(first, ['abci', 'rpc', 'light-0']);
  const second = await makeSockets(home);
  assert.ok(!existsSync(first));

  note(second);
  const server = createServer().listen(join(second, 'abci'));
  await new Promise((resolve) => server.once('listening', resolve));
  const third = await makeSockets(home);
  assert.ok(existsSync(join(second, 'abci')));
  await new Promise((resolve) => server.close(resolve));

  // Other files stay, and so does a folder that `makeSockets` did not make.
  note(third);
  writeFileSync(join(third, 'letter'), '');
  const fourth = await makeSockets(home);
  assert.ok(existsSync(join(third, 'letter')));
  note(home);
  assert.equal(socketsOf(home), null);
  for (const folder of [second, third, fourth]) rmSync(folder, { recursive: true });
});

/** Acts like a process that is killed while it listens. */
async function leaveSockets(folder: string, names: readonly string[]): Promise<void> {
  const script = `const names = ${JSON.stringify(names)};
    let left = names.length;
    const isUp = () => --left === 0 && process.kill(process.pid, 'SIGKILL');
    for (const name of names) require('node:net').createServer().listen(name, isUp);`;
  await once(spawn(process.execPath, ['-e', script], { cwd: folder }), 'exit');
  for (const name of names) assert.ok(existsSync(join(folder, name)));
}
