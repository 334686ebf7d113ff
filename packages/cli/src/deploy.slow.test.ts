/** The image and the compose file of the launch kit, as far as they can be tried without containers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { readConfig } from './run-config.ts';
import { startDevnet } from './testing/devnet.ts';
import { runHere } from './testing/run-here.ts';

const DEPLOY = fileURLToPath(new URL('../../../handouts/launch-kit/deploy/', import.meta.url));
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
const compose = read('compose.yml');
const [, serviceText = ''] = /^services:\n([^]*?)^volumes:/m.exec(compose) ?? [];
const services = new Map(
  serviceText.split(/^ {2}(?=\S)/m).flatMap((text): [string, string][] => {
    const [, name] = /^([\w-]+):\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text]];
  }),
);

test('the files of containers are valid, and each address of the compose file is one of its services', async () => {
  assert.ok(services.size >= 10, [...services.keys()].join(' '));
  for (const name of globSync('*.compose.json', { cwd: DEPLOY })) {
    const { namesRole, options } = await readConfig(join(DEPLOY, name));
    assert.ok(namesRole, name);
    assert.equal((options as { host: string }).host, '0.0.0.0', name);
  }
  for (const path of globSync('kubernetes/*/*.json', { cwd: DEPLOY })) {
    const { namesRole, role, options } = await readConfig(join(DEPLOY, path));
    assert.ok(namesRole && path.endsWith(`${role}.json`), path);
    const { host, dataDir } = options as { host: string; dataDir: string };
    assert.deepEqual([host, dataDir.split('/')[1]], ['0.0.0.0', 'data'], path);
  }
  const asked = [
    'prometheus.yml',
    'Caddyfile.compose',
    'follower.compose.json',
    'blobs.compose.json',
  ]
    .map(read)
    .join('\n')
    .matchAll(/\b([a-z][a-z\d-]*):(?:8420|8421|9420)\b/g);
  const names = new Set([...asked].map(([, name = '']) => name));
  assert.ok(names.size >= 7, [...names].join(' '));
  for (const name of names) assert.ok(services.has(name), name);
});

test('the service "files" writes what the four validators mount', async (t) => {
  const net = join(tempDir(t), 'net');
  const [, command = ''] = /command: >-\n\s+(testnet .*)\n/.exec(services.get('files') ?? '') ?? [];
  const args = command.replace('/net', net).split(' ');
  const { code, stderr } = await runHere(args);
  assert.equal(code, 0, stderr);
  const validators = [...services.keys()].filter((name) => name.startsWith('validator-'));
  assert.equal(validators.length, 4);
  for (const name of validators) {
    const sources = [...(services.get(name) ?? '').matchAll(/source: \.\/net\/([^\s,]+)/g)];
    assert.equal(sources.length, 2, name);
    for (const [, source = ''] of sources) assert.ok(existsSync(join(net, source)), source);
    const { options } = await readConfig(join(net, name, 'validator.json'));
    const { dataDir, genesis, host, metricsListen } = options as Record<string, unknown>;
    assert.deepEqual(
      [dataDir, genesis, host, metricsListen],
      ['/var/lib/netd/chain', '/etc/netd/genesis.json', '0.0.0.0', { host: '0.0.0.0', port: 9420 }],
    );
  }
});

test('the health check of the image fails without a node, and not with one', async (t) => {
  const [, text = ''] = /HEALTHCHECK .*\\\n\s+CMD (\[.*\])/.exec(read('Dockerfile')) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  const devnet = await startDevnet();
  t.after(() => devnet.stop());
  const checked = async (url: string): Promise<number | null> => {
    const at = args.map((arg) => arg.replace('http://127.0.0.1:8420', url));
    assert.notDeepEqual(at, args);
    const [status] = (await once(spawn(process.execPath, at), 'exit')) as [number | null];
    return status;
  };
  assert.equal(await checked('http://127.0.0.1:1'), 1);
  assert.equal(await checked(devnet.node.url), 0);
});

test('the image runs without rights, and installs the engine as netd does', () => {
  const dockerfile = read('Dockerfile');
  assert.match(dockerfile, /^USER 1000:1000$/m);
  assert.match(dockerfile, /netd engine install --engine-dir \/engines$/m);
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  assert.deepEqual(JSON.parse(command), ['run', '--config', '/etc/netd/config.json']);
  for (const [, line] of compose.matchAll(/^ {4}command: (run .*)$/gm)) {
    assert.match(line ?? '', /^run --config \/etc\/netd\/\w+\.json$/);
  }
});
