/** On an old Node version, the launcher uses the repository's own, or says what is missing. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { VERSION } from '@netd/protocol/version';
import { Command, LAUNCHER, startDev } from './testing/command.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-launcher-'));
after(() => rmSync(home, { recursive: true, force: true }));

// This Node pretends to be old, but its children don't.
const age = join(home, 'age.cjs');
writeFileSync(
  age,
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
);
const old = [process.execPath, '--require', age] as const;

test("an old Node goes on with the repository's own, and ends as that does", async () => {
  const start = [...old, LAUNCHER] as const;
  const told = await new Command(['--version'], home, start).ended;
  assert.deepEqual(told, { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  const refused = await new Command(['nonsense'], home, start).ended;
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /unknown command 'nonsense'/);
});

test('a node that was started by an old one stops when that is told to', async () => {
  const [command, facts] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'],
    home,
    [...old, LAUNCHER],
  );
  assert.notEqual(facts.pid, command.child.pid);
  command.child.kill('SIGTERM');
  const { code, stdout } = await command.ended;
  assert.equal(code, 0);
  assert.match(stdout, /Stopped at height/);
  assert.ok(!existsSync(join(home, 'chain', 'lock')));
});

test('a node whose launcher is killed stops, and frees its port', async () => {
  const [command, facts] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'],
    home,
    [...old, LAUNCHER],
  );
  command.child.kill('SIGKILL');
  // Resolves once the node has closed its pipes too.
  const { stdout } = await command.ended;
  assert.match(stdout, /Stopped at height/);
  await assert.rejects(fetch(`${facts.url}/livez`), { message: 'fetch failed' });
});

test('SIGHUP at the launcher reaches the command', async () => {
  const [command, facts] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'],
    home,
    [...old, LAUNCHER],
  );
  command.child.kill('SIGHUP');
  // A node without a configuration file ends on SIGHUP, as without a launcher.
  assert.equal((await command.ended).code, 128 + constants.signals.SIGHUP);
  await assert.rejects(fetch(`${facts.url}/livez`), { message: 'fetch failed' });
});

test('Ctrl-C at an old Node ends with the code of Ctrl-C', async (t) => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close().closeAllConnections());
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const waiting = new Command(['status', '--url', url], home, [...old, LAUNCHER]);
  await asked.promise;
  waiting.child.kill('SIGINT');
  const { code, stdout } = await waiting.ended;
  assert.deepEqual([code, stdout], [130, '']);
});

test('without a newer Node, an old one names the required version, in a checkout and in a package', async () => {
  const told = async (folder: string): Promise<string> => {
    const launcher = join(folder, 'bin', 'netd.mjs');
    mkdirSync(dirname(launcher), { recursive: true });
    copyFileSync(LAUNCHER, launcher);
    const { code, stdout, stderr } = await new Command(['--version'], home, [...old, launcher])
      .ended;
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    return stderr;
  };
  const needed = 'netd: This is Node 20.20.2, and netd needs 22.18 or newer: install that, ';
  const checkout = join(home, 'checkout');
  mkdirSync(join(checkout, 'src'), { recursive: true });
  writeFileSync(join(checkout, 'src', 'main.ts'), '');
  assert.equal(
    await told(checkout),
    `${needed}or run npm ci in the repository, which brings one.\n`,
  );
  assert.equal(
    await told(join(home, 'package')),
    `${needed}for example from https://nodejs.org, and netd again with its npm.\n`,
  );
});

test('a node on this machine is asked directly, whatever proxy the environment names', async () => {
  const node = createServer((request, response) => {
    response.end(`asked for ${request.url}`);
  }).listen(0, '127.0.0.1');
  after(() => node.close());
  await once(node, 'listening');
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
  const { stderr } = await new Command(['status', '--url', url], home, undefined, env).ended;
  assert.match(stderr, /what answers at \S+ is no node/);
});
