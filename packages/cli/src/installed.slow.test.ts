/**
 * `npm install -g` of a node's download, then a devnet and an agent without any checkout, under each
 * supported Node version.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inCampaign, plays } from '@netd/protocol/testing';
import { VERSION } from '@netd/protocol/version';
import { NODE_VERSIONS, nodeProgram } from '../../../scripts/node-environment.ts';
import { Command, startDev, type DevFacts } from './testing/command.ts';
import { bytesBelow, installGlobally, type Installed } from './testing/install.ts';

const MOST_BYTES = 70_000_000;
/** Maximum ratio to the time of an empty program. */
const MOST_RATIO = 3;
const RUNS = 12;

const [TOO_OLD, ...able] = NODE_VERSIONS;
const tooOld = await nodeProgram(TOO_OLD, `what the package says under Node ${TOO_OLD}`);
const programs: [version: string, program: string | null][] = [];
for (const version of plays(able.slice(0, 1), able)) {
  programs.push([version, await nodeProgram(version, `the package under Node ${version}`)]);
}

const home = mkdtempSync(join(tmpdir(), 'netd-installed-'));
let origin: Command;
let facts: DevFacts;
before(async () => {
  const args = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
  [origin, facts] = await startDev(args, home);
});
after(async () => {
  origin.child.kill('SIGTERM');
  await origin.ended;
  rmSync(home, { recursive: true, force: true });
});

const fileAt = async (url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(url)).arrayBuffer());
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Returns the ratio of processor times, which waiting does not affect. Alternates the programs and takes the
 * least time of each.
 */
function ratio(program: string, args: readonly string[], nothing: readonly string[]): number {
  const took = (these: readonly string[]): number => {
    const script = ['-c', '"$@" >/dev/null && times', 'bash', program, ...these];
    const told = execFileSync('bash', script, { cwd: home, env: { HOME: home }, encoding: 'utf8' });
    // The second line is the user and system time of bash's children, such as 0m0.041s.
    const [, children = ''] = told.split('\n');
    const spans = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
    assert.equal(spans.length, 2, told);
    return spans.reduce(
      (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
      0,
    );
  };
  const pairs = Array.from({ length: RUNS }, () => [took(nothing), took(args)] as const);
  return Math.min(...pairs.map(([, of]) => of)) / Math.min(...pairs.map(([to]) => to));
}

for (const [version, program] of programs) {
  describe(`netd under Node ${version}`, { skip: program === null && 'it cannot be had' }, () => {
    const node = program ?? '';
    let netd: Installed | null = null;
    let url: string;
    before(async () => {
      url = `${facts.url}/downloads/netd-${VERSION}.tgz`;
      const prefix = join(home, `prefix-${version}`);
      netd = await installGlobally(url, 'netd', { prefix, node });
    });
    const installed = (t: { skip: (why: string) => void }): Installed | null => {
      if (netd === null) t.skip('the registry cannot be reached');
      return netd;
    };
    /** Creates an empty folder. */
    const empty = (name: string): string => {
      const folder = join(home, `${name}-${version}`);
      mkdirSync(folder);
      return folder;
    };

    test('the package matches the manifest, is small, and has no sources', async (t) => {
      const own = installed(t);
      if (!own) return;
      const manifest = (await (await fetch(`${facts.url}/v1/manifest`)).json()) as {
        clients: { path: string; sha256: string }[];
      };
      const listed = manifest.clients.find(({ path }) => url.endsWith(path));
      assert.equal(listed?.sha256, sha256(await fileAt(url)));
      assert.ok(bytesBelow(own.folder) < MOST_BYTES, `${bytesBelow(own.folder)} bytes`);
      const { dependencies, optionalDependencies, ...others } = JSON.parse(
        readFileSync(own.path('package.json'), 'utf8'),
      ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>;
      const versions = globSync('node_modules/{*,@*/*}/package.json', { cwd: own.folder }).map(
        (path) => {
          const found = JSON.parse(readFileSync(own.path(path), 'utf8')) as {
            name: string;
            version: string;
          };
          return [found.name, found.version] as const;
        },
      );
      assert.ok(versions.some(([name]) => name === 'lmdb'));
      for (const [name, pin] of versions) {
        assert.equal(pin, dependencies[name] ?? optionalDependencies[name], name);
      }
      assert.deepEqual(globSync('node_modules/**/node_modules', { cwd: own.folder }), []);
      assert.ok(!('devDependencies' in others) && !('scripts' in others));
      assert.deepEqual(globSync('{lib,packages}/**/*.ts', { cwd: own.folder }), []);
    });

    test('--version takes little longer than a program that does nothing', inCampaign, (t) => {
      const own = installed(t);
      if (!own) return;
      const times = ratio(node, [own.launcher, '--version'], ['--eval', '0']);
      assert.ok(times < MOST_RATIO, `${times.toFixed(2)} times`);
    });

    test('a devnet in an empty folder: an agent joins, all of it verifies, the package is handed on', async (t) => {
      const own = installed(t);
      if (!own) return;
      const folder = empty('devnet');
      const start = [node, own.launcher] as const;
      const [dev, { url: devUrl }] = await startDev(
        ['dev', '--port', '0', '--data-dir', 'chain'],
        folder,
        start,
      );
      t.after(() => dev.child.kill('SIGKILL'));
      const netdCommand = (line: string): Command =>
        new Command([...line.split(' '), '--url', devUrl], folder, start);
      const joined = await netdCommand('join ada').ended;
      assert.equal(joined.code, 0, joined.stderr);
      assert.match(joined.stdout, /Joined .* as ada\./);
      const verified = await netdCommand('verify').ended;
      assert.match(verified.stdout, /^Valid: /, verified.stderr);
      // Completion calls the program by its path.
      const script = await new Command(['completion', 'bash'], folder, start).ended;
      const line = `${script.stdout}\nCOMP_WORDS=(netd stat) COMP_CWORD=1; _netd_complete; echo "\${COMPREPLY[@]}"`;
      const completed = await new Command(['-c', line], folder, ['bash']).ended;
      assert.equal(completed.stdout, 'status\n', completed.stderr);
      const looked = await new Command(['doctor', '--data-dir', 'chain'], folder, start).ended;
      assert.match(looked.stdout, /ok {2}native parts +lmdb and libsodium load and work/);
      const away = ['status', '--url', 'http://127.0.0.1:1'];
      const { stderr: nowhere } = await new Command(away, folder, start).ended;
      assert.match(nowhere, /start one with netd dev, or name it/);
      const refused = await netdCommand('act ada transfer to=nowhere amount=1NET').ended;
      assert.equal(refused.code, 1, refused.stdout);
      // The package contains guides, API description and explorer.
      const page = await fetch(devUrl, { headers: { accept: 'text/html' } });
      assert.match(await page.text(), /<script/);
      assert.equal((await fetch(`${devUrl}/docs/guides/hire`)).status, 200);
      const handedOn = await fileAt(`${devUrl}/downloads/netd-${VERSION}.tgz`);
      assert.equal(sha256(handedOn), sha256(await fileAt(url)));
      dev.child.kill('SIGTERM');
      const { code, stdout, stderr } = await dev.ended;
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /By hand:\n {4}(?:npx )?netd join/i);
      assert.doesNotMatch(stdout, /the house has died|no blobs are kept|could not/);
    });

    test('npx finds it, from anywhere', async (t) => {
      const own = installed(t);
      if (!own) return;
      const env = {
        PATH: [dirname(node), process.env['PATH']].join(delimiter),
        npm_config_prefix: join(home, `prefix-${version}`),
        npm_config_registry: 'http://127.0.0.1:9/',
      };
      const { code, stdout, stderr } = await new Command(
        ['netd', '--version'],
        empty('npx'),
        ['npx'],
        env,
      ).ended;
      assert.deepEqual({ code, stdout }, { code: 0, stdout: `${VERSION}\n` }, stderr);
    });

    test('an old Node names the required version', async (t) => {
      const own = installed(t);
      if (!own) return;
      if (tooOld === null) {
        t.skip('there is none here');
        return;
      }
      const start = [tooOld, own.launcher] as const;
      const { code, stderr } = await new Command(['--version'], home, start).ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^netd: This is Node 20\.\d+\.\d+, and netd needs 22\.18 or newer: .*\n$/,
      );
    });
  });
}
