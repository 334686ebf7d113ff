/**
 * net-follower, downloaded from a node into an empty folder, follows, verifies, and offers its own download.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { VERSION } from '@netd/protocol/version';
import { Command, startDev, type DevFacts } from './testing/command.ts';
import { bytesBelow, installGlobally, type Installed } from './testing/install.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-follower-'));
const NAME = `net-follower-${VERSION}.tgz`;
let origin: Command;
let facts: DevFacts;
let follower: Installed | null;
before(async () => {
  const args = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
  [origin, facts] = await startDev(args, home);
  const url = `${facts.url}/downloads/${NAME}`;
  const where = { prefix: join(home, 'prefix'), node: process.execPath };
  follower = await installGlobally(url, 'net-follower', where);
});
after(async () => {
  origin.child.kill('SIGTERM');
  await origin.ended;
  rmSync(home, { recursive: true, force: true });
});

interface Manifest {
  clients: { path: string; sha256: string }[];
  missing: { path: string }[];
}
const manifestOf = async (url: string): Promise<Manifest> =>
  (await (await fetch(`${url}/v1/manifest`)).json()) as Manifest;

test('it follows a chain and verifies it', async (t) => {
  if (!follower) {
    t.skip('the registry cannot be reached');
    return;
  }
  assert.ok(bytesBelow(follower.folder) < 60_000_000);
  const start = [process.execPath, follower.launcher] as const;
  const folder = join(home, 'empty');
  mkdirSync(folder);
  const joined = await new Command(['join', 'ada', '--url', facts.url], home).ended;
  assert.equal(joined.code, 0, joined.stderr);

  const running = new Command(['follow', facts.url, '--port', '0'], folder, start);
  t.after(() => running.child.kill('SIGKILL'));
  const address = (): string | undefined =>
    [...running.stdout.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)]
      .map(([url]) => url)
      .find((url) => url !== facts.url);
  await until(async () => address() !== undefined || running.child.exitCode !== null);
  const url = address() ?? '';
  assert.notEqual(url, '', running.stdout + running.stderr);
  await until(async () => (await fetch(`${url}/v1/agents/ada`)).status === 200);

  const status = await new Command(['status', '--url', url], folder, start).ended;
  assert.equal(status.code, 0, status.stderr);
  const compared = await new Command(['compare', facts.url, url], folder, start).ended;
  assert.equal(compared.code, 0, compared.stdout);

  // It offers its own download, and names the parts that are missing.
  const own = (await manifestOf(url)).clients.find(({ path }) => path.endsWith(NAME));
  const theirs = (await manifestOf(facts.url)).clients.find(({ path }) => path.endsWith(NAME));
  assert.ok(own);
  assert.equal(own.sha256, theirs?.sha256);
  const netd = `/downloads/netd-${VERSION}.tgz`;
  assert.ok((await manifestOf(url)).missing.some(({ path }) => path === netd));
  const absent = await fetch(url + netd);
  const { code } = (await absent.json()) as { code: string };
  assert.deepEqual([absent.status, code], [404, 'DOWNLOAD_NOT_BUILT']);

  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0, running.stderr);
  const verified = await new Command(['verify', '--data-dir', '.netd-follow'], folder, start).ended;
  assert.match(verified.stdout, /^Valid: /, verified.stderr);
});

test('it is a follower and nothing else', async (t) => {
  if (!follower) {
    t.skip('the registry cannot be reached');
    return;
  }
  const start = [process.execPath, follower.launcher] as const;
  const help = await new Command(['--help'], home, start).ended;
  const named = [...help.stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
  assert.deepEqual(
    named.filter((name) => name !== 'help'),
    ['follow', 'verify', 'compare', 'status'],
  );
  const refused = await new Command(['dev'], home, start).ended;
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /net-follower --help/);
});
