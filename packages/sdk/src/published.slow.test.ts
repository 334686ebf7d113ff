/** The SDK as a stranger has it: downloaded from a running node, installed without a registry, run by the machine's Node. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { serve, type RunningNode } from '@netd/node';
import { inCampaign, plays } from '@netd/protocol/testing';
import { build } from 'rolldown';
import { buildSdk } from '../scripts/build/package.ts';
import { DIST } from '../scripts/build.ts';
import { nodeProgram, SDK_NODE } from '../../../scripts/node-environment.ts';

const run = promisify(execFile);

/** Upper bounds in bytes for pages that import these names, minified and compressed. Only the last one contains the error table. */
const PAGES = [
  { names: 'AgentKey, NetClient, VerifiedReader', from: 'net-sdk', most: 42_000 },
  { names: 'AgentKey, NetClient, VerifiedReader', from: 'net-sdk/core', most: 42_000 },
  { names: 'AgentKey, NetClient', from: 'net-sdk', most: 23_000 },
  { names: 'AGENT_ERROR_TABLE', from: 'net-sdk', most: 6_500 },
];
/** @returns a page's code, bundled for browsers and minified */
async function bundled(entry: string): Promise<string> {
  const { output } = await build({
    input: entry,
    platform: 'browser',
    output: { format: 'esm', minify: true },
    write: false,
  });
  return output[0].code;
}

const directory = mkdtempSync(join(tmpdir(), 'netd-published-'));
let running: RunningNode;
before(async () => {
  running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
});
after(async () => {
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Listed {
  path: string;
  mediaType: string;
  byteLength: number;
  sha256: string;
}

async function listed(): Promise<Listed[]> {
  const response = await fetch(`${running.url}/v1/manifest`);
  return ((await response.json()) as { clients: Listed[] }).clients;
}

/** A new folder, which holds nothing of this repository. */
function emptyFolder(name: string): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  return folder;
}

async function download(name: string, folder: string): Promise<string> {
  const path = join(folder, name);
  const response = await fetch(`${running.url}/downloads/${name}`);
  assert.equal(response.status, 200);
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  return path;
}

/** The compiler takes the project of a folder, or the test fails with what it said. */
async function compiled(folder: string): Promise<void> {
  const compiler = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
  await run(compiler, ['-p', folder]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(stdout),
  );
}

const lowest = await nodeProgram(SDK_NODE, `the package under Node ${SDK_NODE}`);
/** The lowest Node that the package names, and those of this machine that it is for; each version once. A build tries the lowest. */
const ALL_RUNTIMES = [
  ...new Map(
    [process.execPath, ...(lowest === null ? [] : [lowest]), '/usr/bin/node', '/usr/local/bin/node']
      .filter((path) => existsSync(path))
      .map((path) => [execFileSync(path, ['--version']).toString().trim(), path] as const),
  ),
].filter(([version]) => Number(/\d+/.exec(version)?.[0]) >= 20);
const RUNTIMES = plays(
  ALL_RUNTIMES.filter(([, path]) => path === (lowest ?? process.execPath)),
  ALL_RUNTIMES,
);

/** Joins, acts, reads, verifies; prints what came of it. */
const program = (module: string, actorId: string): string => `
import { AgentKey, NetClient, VerifiedReader } from ${JSON.stringify(module)};
const actor = { actorId: ${JSON.stringify(actorId)}, key: await AgentKey.generate() };
const client = new NetClient({ url: ${JSON.stringify(running.url)}, actor });
await client.register(actor, { description: 'a stranger' });
await client.act('extendAgentCapabilities', { agentId: actor.actorId, actions: ['faucet'] });
const receipt = await client.act('faucet', { amount: 1_000_000 });
const { genesisHash } = await client.network();
const reader = new VerifiedReader(client, { genesisHash });
const { value, verdict } = await reader.readState('account/' + actor.actorId, { minHeight: receipt.height });
console.log(JSON.stringify([receipt.events[0].type, value.balance, verdict]));
`;

/** Joins with an agent, offers a scope that cannot be judged, and judges by a valid scope. */
const opensAndJudges = (module: string): string => `
import { Agent } from ${JSON.stringify(module)};
const { judge } = await import(process.argv[2]);
let forbidden;
try { new Function('return 1'); } catch (error) { forbidden = error.name; }
const agent = await Agent.open('no-eval', { url: ${JSON.stringify(running.url)}, keys: './keys' });
await agent.client.read('/v1/agents/{agentId}', { agentId: 'no-eval' });
const scopeOf = (schema) => ({
  schema: 'NET-WORK-SCOPE/1', title: 'Sum', instructions: 'Add them.', inputs: [],
  deliverable: { mediaType: 'application/json', maxBytes: 1000 },
  acceptance: [{ kind: 'json-schema', schema }],
});
const refused = await agent.store(scopeOf({ $ref: '#/nowhere' })).catch(({ code }) => code);
const verdicts = [];
for (const text of ['{"a":1}', '{"a":"x"}']) {
  const scope = scopeOf({ type: 'object', properties: { a: { type: 'integer' } } });
  verdicts.push((await judge(scope, new TextEncoder().encode(text))).verdict);
}
await agent.stop();
console.log(JSON.stringify([forbidden, refused, ...verdicts]));
`;

/** Nothing but loopback: a registry that is asked is a registry that is not there. */
const OFFLINE = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };

test('the same sources make the same bytes', inCampaign, async () => {
  for (const [name, bytes] of Object.entries(await buildSdk())) {
    assert.ok(bytes.equals(readFileSync(join(DIST, name))), `${name} in dist is another one`);
  }
});

test('the node serves what was built', async () => {
  // The documentation has a page of its reference.
  for (const name of readdirSync(DIST).filter((one) => one !== 'reference.json')) {
    const served = await fetch(`${running.url}/downloads/${name}`);
    const bytes = Buffer.from(await served.arrayBuffer());
    assert.ok(bytes.equals(readFileSync(join(DIST, name))), name);
  }
});

test('the manifest says of each download what it is', async () => {
  const downloads = await listed();
  assert.ok(downloads.length >= 5);
  for (const { path, mediaType, byteLength, sha256 } of downloads) {
    const response = await fetch(running.url + path);
    assert.equal(response.headers.get('content-type'), mediaType);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, byteLength, path);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, path);
    // A build of another day may have the same name.
    assert.equal(response.headers.get('cache-control'), 'public, no-cache', path);
    const again = await fetch(running.url + path, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304, path);
  }
});

describe('the package', () => {
  let folder: string;
  before(async () => {
    folder = emptyFolder('installed');
    const tarball = (await listed()).find(({ path }) => path.endsWith('.tgz'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    const env = { ...process.env, ...OFFLINE, npm_config_cache: join(folder, '.cache') };
    const url = running.url + String(tarball?.path);
    await run('npm', ['install', '--no-audit', '--no-fund', url], { cwd: folder, env });
  });

  for (const [version, path] of RUNTIMES) {
    test(`installs with no registry, and joins and acts under Node ${version}`, async () => {
      const file = join(folder, `${version}.mjs`);
      writeFileSync(file, program('net-sdk', `guest-${version.slice(1)}`));
      const { stdout } = await run(path, [file], { cwd: folder });
      assert.deepEqual(JSON.parse(stdout), ['FaucetPaid', 1_000_000, 'trusted']);
    });
  }

  for (const [version, path] of RUNTIMES) {
    test(`gives require and import the same classes under Node ${version}`, async () => {
      const file = join(folder, `common-${version}.cjs`);
      writeFileSync(file, COMMON);
      const { stdout } = await run(path, [file], { cwd: folder });
      assert.deepEqual(JSON.parse(stdout), [true, true, 'URL_INVALID', true, true]);
    });
  }

  test('brings types for CommonJS', async () => {
    const common = join(folder, 'common');
    mkdirSync(common);
    writeFileSync(join(common, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(common, 'typed.ts'), TYPED_COMMON);
    const compilerOptions = { ...STRICT, module: 'node16', moduleResolution: 'node16' };
    const project = { compilerOptions, files: ['typed.ts'] };
    writeFileSync(join(common, 'tsconfig.json'), JSON.stringify(project));
    await compiled(common);
  });

  test('brings types that a strict compiler takes, without the types of anybody else', async () => {
    writeFileSync(join(folder, 'typed.ts'), TYPED);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...STRICT, exactOptionalPropertyTypes: true, skipLibCheck: false },
        files: ['typed.ts'],
      }),
    );
    await compiled(folder);
  });

  for (const { names, from, most } of PAGES) {
    test(`weighs little in a page that takes ${names} from ${from}`, async (t) => {
      const entry = join(folder, 'page.mjs');
      writeFileSync(entry, `export { ${names} } from '${from}';`);
      const code = await bundled(entry);
      assert.ok(!/^import\b|;import[{*"]/.test(code), 'an import is left');
      const bytes = gzipSync(code, { level: 9 }).length;
      t.diagnostic(`${bytes} bytes`);
      assert.ok(bytes < most, `${bytes} bytes`);
    });
  }

  test('says in its README what a page weighs', () => {
    const readme = readFileSync(join(folder, 'node_modules/net-sdk/README.md'), 'utf8');
    const [, kilobytes] = /signing, reading and verifying are (\d+) kB/.exec(readme) ?? [];
    assert.equal(Number(kilobytes) * 1_000, PAGES[0]?.most);
  });

  test('has a core of its own, with its types', async () => {
    const file = join(folder, 'core.mjs');
    writeFileSync(file, program('net-sdk/core', 'uses-core'));
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), ['FaucetPaid', 1_000_000, 'trusted']);
  });

  for (const [version, path] of RUNTIMES) {
    test(`starts networks for tests under Node ${version}`, async () => {
      const file = join(folder, `test-${version}.mjs`);
      writeFileSync(file, STARTS_NETWORK);
      const env = { ...process.env, NETD: join(import.meta.dirname, '../../cli/bin/netd.mjs') };
      const { stdout } = await run(path, [file], { cwd: folder, env });
      assert.deepEqual(JSON.parse(stdout), [100_000_000, true]);
    });
  }
});

/** An agent of the package acts on a network of its door for tests. */
const STARTS_NETWORK = `
import { Agent } from 'net-sdk';
import { startNetwork } from 'net-sdk/test';
const network = await startNetwork({ agents: ['ada'] });
const ada = await network.agent('ada', { beacon: false, memory: false });
console.log(JSON.stringify([await network.balance('ada'), ada instanceof Agent]));
await network.stop();
`;

const STRICT = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2024', 'dom', 'esnext.disposable', 'dom.asynciterable'],
  types: [],
  strict: true,
  noEmit: true,
};

/** Prints whether both ways to the package lead to one copy. */
const COMMON = `
const sdk = require('net-sdk');
const core = require('net-sdk/core');
const test = require('net-sdk/test');
import('net-sdk').then(async (imported) => {
  let error;
  try { new imported.NetClient({ url: 'nowhere' }); } catch (refusal) { error = refusal; }
  const isOne = Object.keys(imported).every((name) => imported[name] === sdk[name]);
  console.log(JSON.stringify([
    isOne, error instanceof sdk.AgentError, error.code,
    core.NetClient === imported.NetClient, typeof test.startNetwork === 'function',
  ]));
});
`;

/** Lines that the compiler must accept in a CommonJS module. */
const TYPED_COMMON = `
import sdk = require('net-sdk');
import { NetClient } from 'net-sdk/core';
import { startNetwork } from 'net-sdk/test';
import { openTools } from 'net-sdk/tools';
export const client = new sdk.NetClient({ url: 'http://127.0.0.1:1' });
export const open = async (): Promise<sdk.Agent> => (await startNetwork()).agent('ada');
export const made = [openTools, NetClient];
// @ts-expect-error: no such path
void client.read('/v1/nobody');
`;

/** Lines that the compiler must accept, and a line that it must reject. */
const TYPED = `
import { NetClient, AgentKey, type Actor } from 'net-sdk';
import { VerifiedReader } from 'net-sdk/core';
import { startNetwork } from 'net-sdk/test';
import { openaiTools, openTools, type AgentTool } from 'net-sdk/tools';
import type { Agent } from 'net-sdk';
export const tools: (AgentTool & { made: true })[] = openaiTools(
  await openTools({ session: 'ada.session.json' }),
  (tool: AgentTool) => ({ ...tool, made: true }),
);
const network = await startNetwork({ agents: { ada: { actions: ['createWorkOrder'] } } });
export const agent: Agent = await network.agent('ada');
export const reader: typeof VerifiedReader | null = null;
const actor: Actor = { actorId: 'ada', key: await AgentKey.generate() };
const client = new NetClient({ url: 'http://127.0.0.1:1', actor });
export const names: string[] = (await client.read('/v1/agents')).agents.map(({ agentId }) => agentId);
// @ts-expect-error: no such path
await client.read('/v1/nobody');
`;

for (const [version, path] of RUNTIMES) {
  test(`the single file alone does the same under Node ${version}`, async () => {
    const folder = emptyFolder(`alone-${version}`);
    const module = await download('net-sdk.mjs', folder);
    const file = join(folder, 'program.mjs');
    writeFileSync(file, program(`./${basename(module)}`, `single-${version.slice(1)}`));
    const { stdout } = await run(path, [file], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), ['FaucetPaid', 1_000_000, 'trusted']);
  });
}

test('the single file opens an agent and judges where code from strings is forbidden', async () => {
  const folder = emptyFolder('without-eval');
  const module = await download('net-sdk.mjs', folder);
  const file = join(folder, 'program.mjs');
  writeFileSync(file, opensAndJudges(`./${basename(module)}`));
  const formats = import.meta.resolve('@netd/formats');
  const flag = '--disallow-code-generation-from-strings';
  const { stdout } = await run(process.execPath, [flag, file, formats], { cwd: folder });
  assert.deepEqual(JSON.parse(stdout), ['EvalError', 'SCOPE_UNJUDGEABLE', 'met', 'unmet']);
});

test('the types beside the single file are those that a strict compiler takes', async () => {
  const folder = emptyFolder('typed-alone');
  await download('net-sdk.mjs', folder);
  await download('net-sdk.d.mts', folder);
  writeFileSync(
    join(folder, 'typed.mts'),
    `import { AgentKey, NetClient, type Actor } from './net-sdk.mjs';
const actor: Actor = { actorId: 'ada', key: await AgentKey.generate() };
const client = new NetClient({ url: 'http://127.0.0.1:1', actor });
export const names: string[] = (await client.read('/v1/agents')).agents.map(({ agentId }) => agentId);
// @ts-expect-error: no such path
await client.read('/v1/nobody');
`,
  );
  const project = { compilerOptions: STRICT, files: ['typed.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  await compiled(folder);
});

test('a single file leads to its source map, which fits', async () => {
  for (const name of ['net-sdk.mjs', 'net-sdk.browser.mjs']) {
    const code = await (await fetch(`${running.url}/downloads/${name}`)).text();
    assert.ok(code.length < 600_000, `${name}: ${code.length} bytes`);
    const [, url] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(code) ?? [];
    const map = new SourceMap(
      (await (await fetch(`${running.url}/downloads/${String(url)}`)).json()) as never,
    );
    const lines = code.split('\n');
    const line = lines.findIndex((text) => text.includes('NODE_UNREACHABLE'));
    const column = lines[line]?.indexOf('NODE_UNREACHABLE') ?? -1;
    const { originalSource } = map.findEntry(line, column) as { originalSource: string };
    assert.match(originalSource, /^packages\/sdk\/src\/agent\//);
  }
});

test('what the build took from others comes with its licence', async () => {
  const text = await (await fetch(`${running.url}/downloads/net-sdk.browser.mjs`)).text();
  for (const name of ['@noble/curves', '@noble/hashes', 'eventsource-parser']) {
    assert.ok(text.includes(`\n${name} `), name);
  }
});
