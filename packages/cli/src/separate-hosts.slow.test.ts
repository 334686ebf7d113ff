/** `netd testnet --files`: each host gets its own keys only, and four hosts that start from the files meet. */
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { until } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import { boundPort } from './testing/bound-port.ts';
import { Command } from './testing/command.ts';
import { runHere } from './testing/run-here.ts';

const binary = cometbftPath(defaultEngineDir());
const isHere = await requireCometbft(binary).then(
  () => true,
  () => false,
);

test('--files and --hosts are refused alone, twice, and with names that are none', async (t) => {
  const dir = tempDir(t);
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await runHere(['testnet', '--dir', join(dir, 'net'), ...args]);
    assert.equal(code, 2, stderr);
    return stderr;
  };
  assert.match(await refused('--files'), /go together/);
  assert.match(await refused('--hosts', 'a,b'), /go together/);
  const four = ['--files', '--hosts', 'a,b,c,d'];
  assert.match(await refused(...four, '--validators', '7'), /--validators is for a testnet/);
  assert.match(await refused(...four, '--port', '9000'), /--port is for a testnet/);
  assert.match(await refused(...four, '--listen', '0.0.0.0:1'), /without a port is needed/);
  assert.match(await refused('--listen', '0.0.0.0'), /--listen goes with --files/);
  assert.match(await refused('--files', '--hosts', 'a,../b'), /"\.\.\/b" is no host name/);
  assert.match(await refused('--files', '--hosts', 'a,a'), /named twice/);
  assert.match(await refused('--files', '--hosts', 'a,b:70000'), /is no host name/);
});

test('four hosts start from their files, and none has the key of another', async (t) => {
  const home = tempDir(t);
  const bound = await Promise.all(Array.from({ length: 4 }, () => boundPort(0)));
  const ports = bound.map(({ port, close }) => {
    close();
    return port;
  });
  const named = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const made = await runHere(['testnet', '--files', '--dir', join(home, 'net'), '--hosts', named]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /All keys were made on one machine/);
  const again = await runHere(['testnet', '--files', '--dir', join(home, 'net'), '--hosts', named]);
  assert.match(again.stderr, /has a testnet already/);
  const secretsIn = (folder: string): string[] =>
    globSync('**/*.json', { cwd: folder }).flatMap(
      (path) =>
        readFileSync(join(folder, path), 'utf8').match(
          /"priv(?:ateKey|_key)": ?(?:"[^"]+|\{[^}]+)/g,
        ) ?? [],
    );
  const folders = ports.map((port) => join(home, 'net', `127.0.0.1-${port}`));
  const all = [...folders, join(home, 'net/operator')].map(secretsIn);
  assert.ok(all.every((one) => one.length > 0));
  assert.equal(new Set(all.flat()).size, all.flat().length, 'no secret is in two folders');
  if (!isHere) {
    t.diagnostic('CometBFT is not here: netd engine install');
    return;
  }
  const nodes = folders.map((folder, index) => {
    // Another host has a copy, at another place.
    const host = join(home, `host-${index}`);
    cpSync(folder, host, { recursive: true });
    const path = join(host, 'validator.json');
    const config = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([config['role'], config['p2p']], ['validator', `0.0.0.0:${ports[index]}`]);
    const here = {
      binary,
      dataDir: 'chain',
      genesis: 'genesis.json',
      port: 0,
      metricsListen: '127.0.0.1:0',
    };
    writeFileSync(path, JSON.stringify({ ...config, ...here, p2p: `127.0.0.1:${ports[index]}` }));
    return { host, path };
  });
  const [first] = nodes;
  const copied = await new Command(['run', '--config', first?.path ?? ''], home).ended;
  assert.match(copied.stderr, /is a copy: this data directory was moved or copied/);
  const running = nodes.map(({ path }) => {
    const node = new Command(['run', '--config', path, '--only-here', '--json'], home);
    t.after(() => node.child.kill('SIGKILL'));
    return node;
  });
  const ready = running.map(async (node) => {
    await until(() => node.stdout.includes('\n') || node.child.exitCode !== null);
    assert.equal(node.child.exitCode, null, node.stderr);
    const { url } = JSON.parse(node.stdout) as { url: string };
    // A node is ready once more than two thirds have met.
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });
  await Promise.all(ready);
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  }
});
