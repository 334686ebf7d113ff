/** What a start loads: nothing that only some nodes ever need, nothing whose work has been done beforehand. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LAUNCHER, startDev } from './testing/command.ts';

/** Packages, and why a start has no need of them. */
const NOT_AT_START = {
  typebox: 'its types are erased, its builders are those of @netd/protocol/type',
  '@fastify/swagger': 'the description is generated, see contract.ts',
  '@fastify/ajv-compiler': 'the server has a compiler of its own',
  '@fastify/fast-json-stringify-compiler': 'answers are written by JSON.stringify',
  '@modelcontextprotocol/server': 'loaded by the first request to /mcp',
  zod: 'belongs to the MCP package',
  'prom-client': 'loaded by the first scrape',
  'fast-check': 'belongs to tests',
};

const home = mkdtempSync(join(tmpdir(), 'netd-start-modules-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('netd dev loads what it needs to answer, and no more', async () => {
  const [list, hooks] = [join(home, 'loaded.json'), join(home, 'hooks.mjs')];
  writeFileSync(
    hooks,
    `import { writeFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded)));`,
  );
  const [dev] = await startDev(['dev', '--port', '0', '--data-dir', 'chain'], home, [
    '--import',
    hooks,
    LAUNCHER,
  ]);
  dev.child.kill('SIGTERM');
  assert.equal((await dev.ended).code, 0);
  const loaded = JSON.parse(readFileSync(list, 'utf8')) as string[];
  const packages = new Set(
    loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
  );
  assert.ok(packages.has('fastify') && packages.has('lmdb'), 'the list is of this start');
  const unneeded = Object.entries(NOT_AT_START).filter(([name]) => packages.has(name));
  assert.deepEqual(unneeded, []);
  const tests = loaded.filter((url) =>
    /\/packages\/.*(\.test\.|\/testing\/|\/simulation\/)/.test(url),
  );
  assert.deepEqual(tests, []);
});
