/** `netd run`: valid and invalid configuration files, and a node that runs by one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import { readConfig } from './run-config.ts';
import { Command } from './testing/command.ts';
import { runHere } from './testing/run-here.ts';

test('a file that is wrong is refused, with each key and what is meant', async (t) => {
  const home = tempDir(t);
  const config = join(home, 'config.json');
  const refused = async (text: string): Promise<string> => {
    writeFileSync(config, text);
    const { code, stdout, stderr } = await runHere(['run', '--config', config, '--check-config']);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    return stderr;
  };
  assert.match(await refused('port: 1'), /config\.json: is not JSON/);
  assert.match(await refused('[]'), /is no JSON object/);
  assert.match(await refused('{}'), /dataDir: is missing/);
  const many = await refused(
    JSON.stringify({
      dataDir: 'chain',
      prot: 1,
      port: 70_000,
      host: {},
      lab: true,
      logLevel: 'loud',
      metricsListen: '9420',
      house: 'full',
    }),
  );
  for (const sentence of [
    /prot: no such option; did you mean port/,
    /port: A whole number from 0 to 65535/,
    /host: a string, a number or a list/,
    /lab: a laboratory is for tests: netd dev --lab/,
    /logLevel: Allowed choices are debug/,
    /metricsListen: host:port is needed/,
    /house: Allowed choices/,
  ]) {
    assert.match(many, sentence);
  }
  assert.match(await refused('{"dataDir": "chain"}'), /no chain in .*netd genesis new/);
  const missing = await runHere(['run', '--config', join(home, 'none.json'), '--json']);
  assert.equal((JSON.parse(missing.stdout) as { code: string }).code, 'CONFIG_INVALID');
});

test('the file that is handed out to operators is valid', () => {
  const handout = '../../../handouts/launch-kit/deploy/config.json';
  const config = readConfig(fileURLToPath(new URL(handout, import.meta.url)));
  assert.deepEqual(config.metricsListen, { host: '127.0.0.1', port: 9420 });
});

test('a node runs by a file, hears SIGHUP, and has its metrics and traces elsewhere', async (t) => {
  const home = tempDir(t);
  const collector = await spanCollector(t);
  const chain = join(home, 'chain');
  mkdirSync(chain);
  const begun = await runHere(['genesis', 'new', '-d', chain, '--chain-id', 'net-run', '--yes']);
  assert.equal(begun.code, 0, begun.stderr);
  const config = join(home, 'config.json');
  const write = (more: object): void =>
    writeFileSync(
      config,
      JSON.stringify({
        dataDir: 'chain',
        port: 0,
        metricsListen: '127.0.0.1:0',
        logLevel: 'warn',
        logFormat: 'json',
        allowedHosts: ['net.example', 'other.example'],
        trustProxy: true,
        otlpEndpoint: collector.url,
        ...more,
      }),
    );
  write({});
  const checked = await runHere(['run', '--config', config, '--check-config', '--json']);
  const held = JSON.parse(checked.stdout) as Record<string, unknown>;
  assert.deepEqual(
    [held['dataDir'], held['allowedHosts'], held['trustProxy'], held['house']],
    [chain, ['net.example', 'other.example'], 1, 'none'],
  );
  const node = new Command(['run', '--config', config], home, undefined, {
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'net-run-node',
  });
  t.after(() => node.child.kill('SIGKILL'));
  await until(() => /metrics http/.test(node.stdout) || node.child.exitCode !== null);
  const [, url = '', metrics = ''] =
    /\((http:\S+)\), metrics (http:\S+)/.exec(node.stdout) ?? assert.fail(node.stderr);
  assert.equal((await fetch(`${url}/metrics`)).status, 404);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
  await until(() => collector.text.includes('"GET /livez"'));
  assert.match(collector.text, /"net-run-node"/);
  assert.match(await (await fetch(`${metrics}/metrics`)).text(), /^netd_height \d/m);
  for (const path of ['/health', '/livez', '/readyz']) {
    assert.equal((await fetch(`${metrics}${path}`)).status, 200, path);
  }
  assert.equal((await fetch(`${metrics}/v1/network`)).status, 404);
  assert.equal((await fetch(`${metrics}/metrics`, { method: 'POST' })).status, 405);

  write({ logLevel: 'info', port: 1 });
  node.child.kill('SIGHUP');
  await until(() => /port changed in .*next start/.test(node.stderr));
  assert.match(node.stderr, /"level":"info".*read again/);
  write({ logLevel: 'loud' });
  node.child.kill('SIGHUP');
  await until(() => /nothing has changed: .*logLevel/.test(node.stderr));
  node.child.kill('SIGTERM');
  const { code, stdout } = await node.ended;
  assert.equal(code, 0);
  assert.match(stdout, /netd run goes on from there/);
});

/** Starts a collector that accepts OpenTelemetry spans. */
async function spanCollector(t: TestContext): Promise<{ url: string; text: string }> {
  const collector = { url: '', text: '' };
  const server = createServer((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (part: string) => (collector.text += part));
    request.on('end', () => response.end('{}'));
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}

/** Prints each datagram that it receives. Node has no such socket. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode().replace('\\n', ' '), flush=True)
`;
const lacks = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).status !== 0;
const skip =
  (lacks('systemd-notify', '--version') || lacks('python3', '--version')) &&
  'no systemd-notify or no Python here';

test(
  'systemd is told when it is ready, reads its file again, lives and stops',
  { skip },
  async (t) => {
    const home = tempDir(t);
    const [chain, socket, config] = ['chain', 'notify', 'config.json'].map((name) =>
      join(home, name),
    );
    assert.ok(chain !== undefined && socket !== undefined && config !== undefined);
    mkdirSync(chain);
    const begun = await runHere(['genesis', 'new', '-d', chain, '--chain-id', 'net-told', '--yes']);
    assert.equal(begun.code, 0, begun.stderr);
    writeFileSync(config, JSON.stringify({ dataDir: 'chain', port: 0 }));
    const listener = new Command([socket], home, ['python3', '-c', LISTENER]);
    t.after(() => listener.child.kill('SIGKILL'));
    await until(() => listener.stdout.includes('bound'));
    const node = new Command(['run', '--config', config], home, undefined, {
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: '400000',
    });
    t.after(() => node.child.kill('SIGKILL'));
    const isTold = (what: RegExp): Promise<boolean> =>
      until(() => what.test(listener.stdout) || node.child.exitCode !== null);
    await isTold(/READY=1 STATUS=net-told at http/);
    await isTold(/(WATCHDOG=1[^]*){2}/);
    node.child.kill('SIGHUP');
    await isTold(/RELOADING=1 MONOTONIC_USEC=\d+[^]*READY=1 STATUS=the configuration was read/);
    // An invalid configuration is not applied, and systemctl status says why on one line.
    writeFileSync(config, JSON.stringify({ dataDir: 'chain', port: 0, logLevel: 'loud', x: 1 }));
    node.child.kill('SIGHUP');
    await isTold(/READY=1 STATUS=.*was not read again, nothing has changed: .*logLevel/);
    assert.equal(listener.stdout.match(/STATUS=the configuration was read again/g)?.length, 1);
    node.child.kill('SIGTERM');
    const { code, stderr } = await node.ended;
    assert.equal(code, 0, stderr);
    await until(() => listener.stdout.includes('STOPPING=1'));
    assert.match(listener.stdout, /READY=1[^]*WATCHDOG=1[^]*RELOADING=1[^]*STOPPING=1/);
  },
);
