/** `netd run`: valid and invalid configuration files, and a node that runs by one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import { readConfig } from './run-config.ts';
import { Command, startDev } from './testing/command.ts';
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
  assert.match(
    await refused('{"role": "follower", "dataDir": "copy"}'),
    /no follower in .*"origins"/,
  );
  const missing = await runHere(['run', '--config', join(home, 'none.json'), '--json']);
  assert.equal((JSON.parse(missing.stdout) as { code: string }).code, 'CONFIG_INVALID');
});

test('the files that are handed out to operators are valid, and name their role', async () => {
  const folder = new URL('../../../handouts/launch-kit/deploy/', import.meta.url);
  for (const [name, expected] of [
    ['config.json', 'writer'],
    ['validator.json', 'validator'],
    ['sentry.json', 'full-node'],
  ] as const) {
    const { role, namesRole, options } = await readConfig(fileURLToPath(new URL(name, folder)));
    assert.deepEqual([role, namesRole], [expected, true]);
    const { metricsListen } = options as { metricsListen: object };
    assert.deepEqual(metricsListen, { host: '127.0.0.1', port: 9420 });
  }
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
  const { role, namesRole, settings } = JSON.parse(checked.stdout) as ConfigCheck;
  assert.deepEqual([role, namesRole], ['writer', false]);
  const held = new Map(settings.map(({ key, ...setting }) => [key, setting]));
  assert.deepEqual(
    ['dataDir', 'allowedHosts', 'trustProxy'].map((key) => held.get(key)?.value),
    [chain, ['net.example', 'other.example'], 1],
  );
  assert.equal(held.get('house')?.from, 'default');
  const explained = await runHere(['config', 'check', config]);
  assert.match(explained.stdout, /writer \(add it to the file\)/);
  assert.match(
    explained.stdout,
    /^ {2}allowedHosts +\["net.example","other.example"\] +file +SIGHUP$/m,
  );
  assert.match(explained.stdout, /^ {2}blockTime +100 +default +a start$/m);
  assert.match(explained.stdout, /SIGHUP applies: logLevel, .*writeRate/);
  const node = new Command(['run', '--config', config], home, undefined, {
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'net-run-node',
  });
  t.after(() => node.child.kill('SIGKILL'));
  // This is logged before the node opens its chain. The signal waits for that, and ends nothing.
  await until(() => /names no role/.test(node.stderr) || node.child.exitCode !== null);
  write({ logLevel: 'info' });
  node.child.kill('SIGHUP');
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

  assert.match(node.stderr, /"level":"warn".*names no role.*add \\"role\\": \\"writer\\"/);
  await until(() => /"applied":\["logLevel"\].*read again/.test(node.stderr));
  // Behind a trusted proxy, addresses have limits on this machine too.
  const post = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' };
    const request = { method: 'POST', headers, body: '{}' };
    return (await fetch(`${url}/v1/intents`, request)).status;
  };
  assert.notEqual(await post(), 429);
  write({ logLevel: 'debug', port: 1, writeRate: 1 });
  node.child.kill('SIGHUP');
  await until(() => /port changed in .*waits for the next start/.test(node.stderr));
  assert.match(node.stderr, /"level":"info",.*"applied":\["logLevel","writeRate"\].*read again/);
  assert.equal(await post(), 429);
  write({ logLevel: 'debug', port: 1 });
  node.child.kill('SIGHUP');
  await until(() => /"applied":\["writeRate"\]/.test(node.stderr));
  assert.notEqual(await post(), 429);
  write({ logLevel: 'error', port: 1 });
  node.child.kill('SIGHUP');
  const onlyLevel = /"applied":\["logLevel"\]/g;
  await until(() => [...node.stderr.matchAll(onlyLevel)].length === 2);
  write({ logLevel: 'loud' });
  node.child.kill('SIGHUP');
  await until(() => /nothing has changed: .*logLevel/.test(node.stderr));
  node.child.kill('SIGTERM');
  const { code, stdout } = await node.ended;
  assert.equal(code, 0);
  assert.match(stdout, /netd run goes on from there/);
});

test('a follower and a blob store run by files; SIGHUP gives the follower other origins, and keeps them', async (t) => {
  const home = tempDir(t);
  const [[writer, origin], [other, stranger]] = await Promise.all([
    startDev(['dev', '--port', '0', '-d', 'chain', '--house', 'none'], home),
    startDev(['dev', '--port', '0', '-d', 'chain', '--house', 'none'], tempDir(t)),
  ]);
  t.after(() => [writer, other].map(({ child }) => child.kill('SIGKILL')));
  const config = join(home, 'follower.json');
  const write = (more: object): void =>
    writeFileSync(
      config,
      JSON.stringify({ role: 'follower', dataDir: 'copy', port: 0, logFormat: 'json', ...more }),
    );
  const nowhere = 'http://127.0.0.1:1';
  write({ origins: [nowhere, origin.url] });
  const follower = new Command(['run', '--config', config, '--json'], home);
  t.after(() => follower.child.kill('SIGKILL'));
  await until(() => follower.stdout.includes('\n') || follower.child.exitCode !== null);
  const { url } = JSON.parse(follower.stdout) as { url: string };
  const asked = async (): Promise<number> => {
    const { following } = (await (await fetch(`${url}/health`)).json()) as Health;
    const { active, backoff, banned } = following.origins;
    return active + backoff + banned;
  };
  assert.equal(await asked(), 2);
  write({ origins: [origin.url], logLevel: 'info' });
  follower.child.kill('SIGHUP');
  await until(() => /"applied":\["logLevel","origins"\]/.test(follower.stderr));
  await until(async () => (await asked()) === 1);
  const kept = (): string => readFileSync(join(home, 'copy/follow.json'), 'utf8');
  assert.ok(!kept().includes(nowhere));
  write({ origins: [origin.url, stranger.url] });
  follower.child.kill('SIGHUP');
  await until(() => /nothing has changed: .*serves another one/.test(follower.stderr));
  assert.ok(!kept().includes(stranger.url));

  const store = join(home, 'blobs.json');
  const facts = { role: 'blob-store', dataDir: 'blobs', port: 0, nodeUrl: origin.url };
  writeFileSync(store, JSON.stringify(facts));
  const blobs = new Command(['run', '--config', store, '--json'], home);
  t.after(() => blobs.child.kill('SIGKILL'));
  await until(() => blobs.stdout.includes('\n') || blobs.child.exitCode !== null);
  const served = JSON.parse(blobs.stdout) as { url: string };
  assert.equal((await fetch(`${served.url}/health`)).status, 200);
  for (const { child, ended } of [blobs, follower]) {
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  }
});

interface ConfigCheck {
  role: string;
  namesRole: boolean;
  settings: { key: string; value: unknown; from: string }[];
}

interface Health {
  following: { origins: { active: number; backoff: number; banned: number } };
}

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
