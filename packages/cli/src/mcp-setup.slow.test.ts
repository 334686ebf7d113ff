/** `netd mcp setup` creates a model's agent from nothing, and keeps all other configuration. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { World } from '@netd/sdk/testing/world';
import { Command, type Ended } from './testing/command.ts';

const ends: (() => unknown)[] = [];
let world: World;
before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

interface Home {
  path: string;
  put: (name: string, text: string) => void;
  read: (name: string) => string;
  setup: (...args: string[]) => Promise<Ended>;
}

function newHome(name: string): Home {
  const path = join(world.home, name);
  mkdirSync(path);
  return {
    path,
    put: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text, { mode: 0o640 });
    },
    read: (file) => readFileSync(join(path, file), 'utf8'),
    setup: (...args) => {
      const where = ['--url', world.node.url, '--blobs', world.origins.join(',')];
      return new Command(['mcp', 'setup', ...args, ...where], path).ended;
    },
  };
}

const CURSOR = '.cursor/mcp.json';
const DESKTOP = '.config/Claude/claude_desktop_config.json';
const CODE = '.config/Code/User/mcp.json';
const CODEX = '.codex/config.toml';

interface Written {
  mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>;
}

test('one command joins, grants, writes what clients read, and has been tried', async (t) => {
  const home = newHome('fresh');
  const other = { mcpServers: { other: { command: 'x' } }, theme: 'dark' };
  home.put(CURSOR, JSON.stringify(other, null, 4));
  home.put(CODEX, 'model = "o"\n[mcp_servers.other]\ncommand = "x"');
  const commented = '{\n  // mine\n  "servers": {}\n}\n';
  home.put(CODE, commented);
  const { code, stdout, stderr } = await home.setup('zoe', 'a model', '--yes', '--budget', '2NET');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /zoe is ready for a model/);
  assert.match(stdout, /left +the configuration of vscode: it is not plain JSON/);
  // The suggested command finds the node and succeeds.
  const hints = [...stdout.matchAll(/netd (faucet [^\n,]+)/g)].map(([, line]) => line);
  assert.equal(hints.length, 1, stdout);
  for (const hint of hints) {
    const { code: ended, stderr: why } = await new Command((hint ?? '').split(' '), home.path)
      .ended;
    assert.equal(ended, 0, `${hint}: ${why}`);
  }

  const cursor = JSON.parse(home.read(CURSOR)) as Written & { theme: string };
  assert.equal(cursor.theme, 'dark');
  assert.deepEqual(Object.keys(cursor.mcpServers), ['other', 'netd-zoe']);
  assert.match(home.read(CURSOR), /^ {4}"mcpServers"/m);
  assert.equal(statSync(join(home.path, CURSOR)).mode & 0o777, 0o640);
  assert.deepEqual(JSON.parse(home.read(`${CURSOR}.before-netd-1`)), other);
  assert.equal(home.read(CODE), commented);
  assert.match(
    home.read(CODEX),
    /^model = "o"\n\[mcp_servers\.other\]\ncommand = "x"\n\n\[mcp_servers\.netd-zoe\]\ncommand = "[^"]+"\nargs = \["[^\n]+"\]\n\n\[mcp_servers\.netd-zoe\.env\]\nNET_URL = "http:[^"]+"\n$/,
  );
  // It did not write clients that were found but not chosen.
  assert.ok(!existsSync(join(home.path, '.mcp.json')));

  const client = new Client({ name: 'netd-test', version: '1' });
  t.after(() => client.close());
  const { command, args, env } = cursor.mcpServers['netd-zoe'] ?? assert.fail();
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...env, HOME: home.path } }),
  );
  const { structuredContent } = await client.callTool({ name: 'agent_status', arguments: {} });
  const { agentId, canBeWrittenTo, session } = structuredContent as {
    agentId: string;
    canBeWrittenTo: boolean;
    session: { budgetLeft: string; actions: string[] };
  };
  assert.deepEqual([agentId, canBeWrittenTo, session.budgetLeft], ['zoe', true, '2 NET']);
  assert.ok(session.actions.includes('createWorkOrder'));
  assert.ok(!session.actions.includes('transfer'));
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'agent_hire'));
  assert.ok(!tools.some(({ name }) => name === 'agent_pay'));

  // On repetition, the key is reused and the existing server stays.
  const again = await home.setup('--yes', '--actions', 'transfer');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /left +the configuration of cursor: it has a server netd-zoe already/);
  assert.match(again.stdout, /"netd-zoe": \{/);
  await linksStart(t, home, again.stdout);
  assert.deepEqual(JSON.parse(home.read(CURSOR)), cursor);
});

/** Asserts that the servers behind the printed links start. */
async function linksStart(
  t: Pick<TestContext, 'after'>,
  home: Home,
  stdout: string,
): Promise<void> {
  const [cursor = ''] = /cursor:\/\/\S+/.exec(stdout) ?? [];
  const [code = ''] = /vscode:\S+/.exec(stdout) ?? [];
  const { host, pathname, searchParams } = new URL(cursor);
  assert.deepEqual([host, pathname], ['anysphere.cursor-deeplink', '/mcp/install']);
  const config = Buffer.from(searchParams.get('config') ?? '', 'base64').toString();
  const byCursor = JSON.parse(config) as Written['mcpServers'][string];
  assert.equal(searchParams.get('name'), 'netd-zoe');
  assert.ok(code.startsWith('vscode:mcp/install?'));
  const { name, ...byCode } = JSON.parse(
    decodeURIComponent(code.slice('vscode:mcp/install?'.length)),
  ) as Written['mcpServers'][string] & { name: string };
  assert.equal(name, 'netd-zoe');
  assert.deepEqual(byCode, byCursor);
  // Anyone may see a link, so it only names the key's file.
  assert.doesNotMatch(config, /PRIVATE KEY|"d":/);
  const client = new Client({ name: 'netd-test', version: '1' });
  t.after(() => client.close());
  await client.connect(
    new StdioClientTransport({ ...byCode, env: { ...byCode.env, HOME: home.path } }),
  );
  assert.ok((await client.listTools()).tools.length > 0);
}

test('the change is shown first, and without a yes nothing is done', async () => {
  const home = newHome('careful');
  mkdirSync(join(home.path, dirname(DESKTOP)), { recursive: true });
  const { code, stdout, stderr } = await home.setup('carl');
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /Make a key for carl, register it/);
  assert.match(stderr, /Write .*claude_desktop_config\.json \(Claude Desktop\):/);
  assert.match(stderr, /\+ +"netd-carl": \{/);
  assert.match(stderr, /nothing was done: .*--yes/);
  assert.deepEqual(readdirSync(join(home.path, dirname(DESKTOP))), []);
  assert.ok(!existsSync(join(home.path, '.netd')));
  await assert.rejects(world.client.read('/v1/agents/{agentId}', { agentId: 'carl' }));
});

test('what cannot be done is said before anything is', async () => {
  const home = newHome('wrong');
  const cases: [string[], RegExp][] = [
    [['--yes'], /no key for an agent of .* make one with: .*netd mcp setup NAME$/m],
    [['my agent'], /"my agent" cannot be the name of an agent/],
    [['dora', '--yes', '--client', 'emacs'], /emacs is none of claude-desktop/],
    [['dora', '--yes', '--actions', 'acceptWrok'], /acceptWork/],
    [['dora', '--yes', '--key', 'x.json'], /--key-dir/],
  ];
  for (const [args, sentence] of cases) {
    const { code, stderr } = await home.setup(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
  }
  assert.ok(!existsSync(join(home.path, '.netd')));
});
