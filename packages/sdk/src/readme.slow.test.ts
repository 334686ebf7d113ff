/**
 * The examples of the README, in their order, against networks of their own: they print what it says they print, and show
 * every name that there is to call.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '@netd/node';
import { VERSION } from '@netd/protocol/version';
import { Agent } from './agent/agent.ts';
import { Memory } from './agent/memory.ts';
import { Message } from './agent/message.ts';
import { World } from './agent/testing/world.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:8420';
/** The heading of the second program, which needs a network with blob stores and verifiers. */
const AGENTS = '\n## Write an agent\n';

const [clients = '', agents = ''] = README.split(AGENTS);

const blocks = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
    .map(([, block]) => block)
    .join('');

/** Returns the code of the examples without its import lines. */
const uses = (text: string): string =>
  (blocks(text, 'js') + blocks(text, 'html')).replaceAll(/^ *import [^;]+;$/gm, '');

/** Runs the examples of a part of the README as one program. */
async function printed(part: string, url: string, directory: string): Promise<string> {
  const examples = blocks(part, 'js');
  assert.ok(examples.includes(ADDRESS));
  const module = new URL('index.ts', import.meta.url).href;
  const file = join(directory, 'examples.mjs');
  const program = examples
    .replaceAll(ADDRESS, url)
    .replaceAll(`from 'net-sdk'`, `from '${module}'`)
    .replaceAll(
      /from 'net-sdk\/(services|test|tools)'/g,
      (_, door) => `from '${new URL(`${door}/index.ts`, import.meta.url).href}'`,
    );
  writeFileSync(file, program);
  const env = { ...process.env, NET_HOME: join(directory, 'keys') };
  const options = { timeout: 600_000, env };
  return (await promisify(execFile)(process.execPath, [file], options)).stdout;
}

test('the examples of a client run, and print the output below them', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-readme-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  t.after(() => running.stop());
  assert.equal(await printed(clients, running.url, directory), blocks(clients, 'text'));
});

test('those of an agent, too', async (t) => {
  const world = await World.start(t);
  await Promise.all([world.staff(), world.announceBlobs()]);
  const harbour = await Agent.open('harbour', world.options());
  await world.offerRuntime(harbour, 'harbour-1');
  await harbour.stop();
  assert.equal(await printed(agents, world.node.url, world.home), blocks(agents, 'text'));
});

test('every name of every entry point, and whatever its classes can do, has an example', async () => {
  const examples = uses(README);
  const exported = await namesOfEntryPoints();
  const called = [
    ...[...exported.values()].flatMap((value) => methodsOf(value)),
    // Reached by an agent; their classes are not handed out.
    ...[Memory, Message].flatMap((value) => methodsOf(value, { statics: false })),
  ];
  const isUsed = (pattern: string): boolean => new RegExp(pattern).test(examples);
  const missing = [
    ...[...exported.keys()].filter((name) => !isUsed(`\\b${name}\\b`)),
    ...called.filter((name) => !isUsed(`\\.${name}\\b`)),
  ];
  assert.deepEqual(missing, []);
  // Guards the lookups above: they must find public names and skip private ones.
  for (const name of ['Agent', 'memoryHome', 'VerifiedReader']) assert.ok(exported.has(name), name);
  for (const name of ['act', 'fromPem', 'openSession', 'generation', 'json']) {
    assert.ok(called.includes(name), name);
  }
  for (const name of ['sendFresh', 'assemble', 'commitNow']) {
    assert.ok(!called.includes(name), name);
  }
});

test('the package is named as it is served, and its contents lead somewhere', () => {
  assert.ok(README.includes(`/downloads/net-sdk-${VERSION}.tgz`));
  const anchors = [...README.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const linked = [...README.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  assert.ok(linked.length > 10);
  assert.deepEqual(
    linked.filter((anchor) => !anchors.includes(anchor ?? '')),
    [],
  );
});

/** Returns the values of all public entry points by name, without those that only this repository imports. */
async function namesOfEntryPoints(): Promise<Map<string, unknown>> {
  const file = new URL('../package.json', import.meta.url);
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: Record<string, string> };
  const published = Object.entries(exports).filter(
    ([path]) => !/^\.\/(internal|testing)/.test(path),
  );
  const modules = await Promise.all(
    published.map(([, path]) => import(new URL(`../${path}`, import.meta.url).href)),
  );
  return new Map(modules.flatMap((module) => Object.entries(module as object)));
}

/** Methods and accessors of a class, static ones too, that its source does not call private. */
function methodsOf(value: unknown, { statics = true } = {}): string[] {
  if (typeof value !== 'function' || !/^class\b/.test(String(value))) return [];
  const source = sourceOf(value.name);
  const isPublic = (name: string): boolean =>
    new RegExp(`^ {2}(?:static )?(?:async )?(?:get )?\\*?${name}[<(]`, 'm').test(source);
  return [
    ...Object.getOwnPropertyNames(value.prototype),
    ...(statics ? Object.getOwnPropertyNames(value) : []),
  ].filter((name) => name !== 'constructor' && isPublic(name));
}

/** A file is named after its class; small classes of errors stand beside what throws them. */
function sourceOf(name: string): string {
  const file = name
    .replaceAll(/(?<!^)[A-Z]/g, '-$&')
    .toLowerCase()
    .replace('net-', '');
  const url = ['./', './agent/']
    .map((folder) => new URL(`${folder}${file}.ts`, import.meta.url))
    .find((one) => existsSync(one));
  return url ? readFileSync(url, 'utf8') : '';
}
