/**
 * Installs a node's MCP bundle as a client does. From the fields that a user fills in, an agent joins and a
 * model acts.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  getMcpConfigForManifest,
  MANIFEST_SCHEMAS,
  type McpbManifestAny,
} from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { World } from '@netd/sdk/testing/world';
import { unzipSync } from 'fflate';
import { plays } from '@netd/protocol/testing';
import { VERSION } from '@netd/protocol/version';
import { NODE_VERSIONS, nodeProgram } from '../../../scripts/node-environment.ts';

const MOST_BYTES = 1_000_000;

const programs: [version: string, program: string | null][] = [];
for (const version of plays<readonly string[]>(NODE_VERSIONS.slice(0, 1), NODE_VERSIONS)) {
  programs.push([version, await nodeProgram(version, `the MCP bundle under Node ${version}`)]);
}

interface Listed {
  path: string;
  mediaType: string;
  byteLength: number;
  sha256: string;
}

const ends: (() => unknown)[] = [];
let world: World;
let folder: string;
let listed: Listed;
let manifest: McpbManifestAny;
before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  await world.announceBlobs();
  const { clients } = (await get('/v1/manifest')) as { clients: Listed[] };
  listed = clients.find(({ path }) => path.endsWith('.mcpb')) ?? assert.fail('npm run build');
  const bytes = await fetched(listed.path);
  assert.deepEqual(
    [listed.mediaType, listed.byteLength, listed.sha256],
    ['application/zip', bytes.length, sha256(bytes)],
  );
  assert.ok(bytes.length < MOST_BYTES, `${bytes.length}`);
  folder = join(world.home, 'bundle');
  const files = unzipSync(bytes);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as McpbManifestAny;
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const get = async (path: string): Promise<unknown> => (await fetch(world.node.url + path)).json();
const fetched = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(world.node.url + path)).arrayBuffer());
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Starts the server as a client does. The format's own library turns the manifest into a command. */
async function started(
  node: string,
  userConfig: Record<string, string>,
  stderr?: (line: string) => void,
): Promise<Client> {
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: folder,
    systemDirs: { HOME: world.home },
    userConfig,
    pathSeparator: sep,
  });
  const { command, args, env } = config ?? assert.fail('a field is missing');
  assert.equal(command, 'node');
  const client = new Client({ name: 'netd-test', version: '1' });
  const transport = new StdioClientTransport({
    command: node,
    args: args ?? [],
    env: { ...env, HOME: world.home },
    cwd: world.home,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (part: Buffer) => stderr?.(part.toString()));
  await client.connect(transport);
  return client;
}

interface Status {
  agentId: string;
  canBeWrittenTo: boolean;
  session: { sessionId: string; budgetLeft: string };
}

async function statusOf(client: Client): Promise<Status> {
  const { structuredContent } = await client.callTool({ name: 'agent_status', arguments: {} });
  return structuredContent as Status;
}

describe('the bundle', () => {
  test('has a manifest of the format, and the tools that it names', async (t) => {
    const { error } = MANIFEST_SCHEMAS['0.3'].safeParse(manifest);
    assert.equal(error, undefined, error?.message);
    assert.notEqual(
      MANIFEST_SCHEMAS['0.3'].safeParse({ ...manifest, server: {} }).error,
      undefined,
    );
    const client = await started(process.execPath, { agent: 'lister', node: world.node.url });
    t.after(() => client.close());
    const { tools } = await client.listTools();
    const named = new Map(manifest.tools?.map(({ name, description }) => [name, description]));
    assert.ok(tools.length > 10);
    for (const { name, description } of tools) assert.equal(named.get(name), description);
    // An empty setting gets netd's default.
    const [chain = ''] = readdirSync(join(world.home, '.netd', 'keys'));
    assert.ok(readdirSync(join(world.home, '.netd', 'keys', chain)).includes('lister.json'));
  });

  for (const [version, program] of programs) {
    const skip = program === null && 'it cannot be had';
    test(`joins by a name and serves, under Node ${version}`, { skip }, async (t) => {
      const agent = `model-${version}`;
      const keys = join(world.home, `keys-${version}`);
      const fields = { agent, node: world.node.url, keys, budget: '2 NET' };
      const first = await started(program ?? '', fields);
      const status = await statusOf(first);
      await first.close();
      assert.deepEqual(
        [status.agentId, status.canBeWrittenTo, status.session.budgetLeft],
        [agent, true, '2 NET'],
      );
      // A restart does not renew the budget.
      const again = await started(program ?? '', { ...fields, budget: '9 NET' });
      t.after(() => again.close());
      assert.deepEqual((await statusOf(again)).session, status.session);
      const [chain = ''] = readdirSync(keys);
      assert.deepEqual(readdirSync(join(keys, chain)).sort(), [
        `${agent}.encryption.json`,
        `${agent}.json`,
        `${agent}.session-mcp.json`,
      ]);
      // A given session takes precedence over a name, and does not need the agent's own key.
      const session = join(keys, chain, `${agent}.session-mcp.json`);
      await again.close();
      const given = await started(program ?? '', { node: world.node.url, session });
      t.after(() => given.close());
      assert.equal((await statusOf(given)).session.sessionId, status.session.sessionId);
    });
  }

  test('names the missing settings if none is filled in', async () => {
    let said = '';
    await assert.rejects(started(process.execPath, {}, (text) => (said += text)));
    assert.match(said, /Name a session file with --session, or an agent with --as/);
  });
});

test('server.json lists the bundle of this node', async () => {
  const { pathname } = new URL('/downloads/server.json', world.node.url);
  const entry = (await get(pathname)) as {
    version: string;
    packages: {
      version: string;
      identifier: string;
      fileSha256: string;
      environmentVariables: { name: string }[];
    }[];
  };
  for (const { version } of [entry, ...entry.packages]) assert.equal(version, VERSION);
  const [one] = entry.packages;
  assert.equal(one?.identifier, world.node.url + listed.path);
  assert.equal(one.fileSha256, listed.sha256);
  const { env = {} } = manifest.server.mcp_config ?? assert.fail();
  assert.deepEqual(
    one.environmentVariables.map(({ name }) => name),
    Object.keys(env),
  );
});
