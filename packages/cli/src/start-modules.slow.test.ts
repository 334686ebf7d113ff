/** A start loads no module that only some nodes need, and none whose work the build has done. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command, LAUNCHER, startDev } from './testing/command.ts';

/** Packages that a start need not load, each with the reason. */
const NOT_AT_START = {
  typebox: 'its types are erased, its builders are those of @netd/protocol/type',
  '@fastify/swagger': 'the description is generated, see contract.ts',
  '@fastify/ajv-compiler': 'the server has a compiler of its own',
  '@fastify/fast-json-stringify-compiler': 'answers are written by JSON.stringify',
  '@modelcontextprotocol/server': 'loaded by the first request to /mcp',
  zod: 'belongs to the MCP package',
  'prom-client': 'loaded by the first scrape',
  '@opentelemetry/api': 'loaded where traces are asked for',
  '@opentelemetry/sdk-trace': 'the same',
  marked: 'loaded by the first guide',
  'fast-check': 'belongs to tests',
};

const home = mkdtempSync(join(tmpdir(), 'netd-start-modules-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** The modules that a command loaded. */
class Loading {
  /** The program and its first arguments. */
  readonly start: [string, ...string[]];
  private readonly file: string;

  constructor(name: string) {
    this.file = join(home, `${name}.json`);
    const hooks = join(home, `${name}.mjs`);
    writeFileSync(
      hooks,
      `import { writeFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      process.on('exit', () => {
        writeFileSync(${JSON.stringify(this.file)}, JSON.stringify(loaded));
      });`,
    );
    this.start = [process.execPath, '--import', hooks, LAUNCHER];
  }

  get urls(): string[] {
    return JSON.parse(readFileSync(this.file, 'utf8')) as string[];
  }

  get packages(): Set<string> {
    return new Set(
      this.urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
    );
  }

  /** Names of the workspaces' folders. */
  get rooms(): string[] {
    return [
      ...new Set(this.urls.flatMap((url) => /\/packages\/([^/]+)\/src\//.exec(url)?.[1] ?? [])),
    ];
  }
}

test('netd dev loads what it needs to answer, and no more', async () => {
  const loading = new Loading('dev');
  const args = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
  const [dev] = await startDev(args, home, loading.start);
  dev.child.kill('SIGTERM');
  assert.equal((await dev.ended).code, 0);
  const { packages, urls } = loading;
  assert.ok(packages.has('fastify') && packages.has('lmdb'), 'the list is of this start');
  const unneeded = Object.entries(NOT_AT_START).filter(([name]) => packages.has(name));
  assert.deepEqual(unneeded, []);
  const tests = urls.filter((url) =>
    /\/packages\/.*(\.test\.|\/testing\/|\/simulation\/)/.test(url),
  );
  assert.deepEqual(tests, []);
  assert.ok(!urls.some((url) => url.endsWith('/follower-kind.ts')), 'what only followers need');
});

test('netd --version and the help load the command line alone', async () => {
  for (const [name, args] of [
    ['version', ['--version']],
    ['help', ['--help']],
    ['keys', ['keys']],
  ] as const) {
    const loading = new Loading(name);
    const { code, stderr } = await new Command(args, home, loading.start).ended;
    assert.equal(code, 0, stderr);
    assert.deepEqual([...loading.packages], ['commander'], name);
    assert.deepEqual(loading.rooms.sort(), ['cli', 'protocol'], name);
    const ofProtocol = loading.urls.flatMap(
      (url) => /\/packages\/protocol\/src\/(.*)/.exec(url)?.[1] ?? [],
    );
    const needed = ['printable-url.ts', 'suggest.ts', 'version.ts', 'visible-text.ts'];
    assert.deepEqual(ofProtocol.sort(), needed, name);
  }
});

test('what asks a node loads no part of one', async () => {
  const loading = new Loading('status');
  const args = ['status', '--url', 'http://127.0.0.1:1'];
  assert.equal((await new Command(args, home, loading.start).ended).code, 3);
  assert.ok(loading.rooms.includes('sdk'), 'the list is of this start');
  assert.ok(!loading.rooms.includes('ledger'));
  for (const name of ['fastify', 'lmdb', 'pino']) assert.ok(!loading.packages.has(name), name);
});

test('netd doctor loads no server', async () => {
  const loading = new Loading('doctor');
  await new Command(['doctor', '--data-dir', 'none', '--port', '1'], home, loading.start).ended;
  assert.ok(loading.rooms.includes('engine'), 'the list is of this start');
  for (const name of ['fastify', '@bufbuild/protobuf'])
    assert.ok(!loading.packages.has(name), name);
});
