/** `netd mcp`, started by an MCP client from the configuration that the command prints. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Agent, type SessionFile } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import { Command, type Ended } from './testing/command.ts';

const ends: (() => unknown)[] = [];
let world: World;
let keyFile: string;
let sessionFile: string;
before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  const agent = await Agent.open('ada', world.options());
  const { name } = await agent.grantSession({ actions: ['acceptWork'], budget: '1 NET' });
  await agent.stop();
  const keys = join(world.home, 'keys', agent.chainId);
  keyFile = join(keys, 'ada.json');
  sessionFile = join(keys, `${name}.json`);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

function netd(...args: string[]): Promise<Ended> {
  const home = join(world.home, 'elsewhere');
  mkdirSync(home, { recursive: true });
  return new Command(['mcp', ...args], home).ended;
}

interface Printed {
  mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>;
}

async function config(path: string): Promise<Printed['mcpServers'][string]> {
  const keys = join(world.home, 'elsewhere', 'keys');
  const options = ['--url', world.node.url, '--ask-above', '1.5 NET', '--key-dir', keys];
  const { code, stdout, stderr } = await netd('--session', path, ...options, '--print-config');
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /PRIVATE KEY/);
  const { mcpServers } = JSON.parse(stdout) as Printed;
  assert.deepEqual(Object.keys(mcpServers), ['netd-ada']);
  assert.ok(mcpServers['netd-ada']);
  return mcpServers['netd-ada'];
}

test('what --print-config prints starts a server that acts for the agent', async (t) => {
  const client = new Client({ name: 'netd-test', version: '1' });
  const faults: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => void faults.push(error) });
  t.after(() => client.close());
  await client.connect(new StdioClientTransport(await config(sessionFile)));
  const { structuredContent } = await client.callTool({ name: 'agent_status', arguments: {} });
  const status = structuredContent as Record<string, unknown>;
  assert.equal(status['agentId'], 'ada');
  assert.equal(status['asksOwnerAbove'], '1.5 NET');
  // Any other output on stdout would break the protocol.
  assert.deepEqual(faults, []);
});

test('a policy limits the payments of the printed server, and a wrong policy is refused', async (t) => {
  const policy = join(world.home, 'policy.json');
  const write = (more: object): void =>
    writeFileSync(policy, JSON.stringify({ schema: 'NET-MCP-POLICY/1', ...more }));
  write({ askAbove: '2 NET', perDay: '3 NET', recipients: ['shop'] });
  const client = new Client({ name: 'netd-test', version: '1' });
  t.after(() => client.close());
  const { command, args, env } = (await config(sessionFile)) ?? assert.fail();
  const bounded = [
    ...args.filter((one) => !/^(--ask-above|1\.5 NET)$/.test(one)),
    '--policy',
    policy,
  ];
  await client.connect(new StdioClientTransport({ command, args: bounded, env }));
  const { structuredContent } = await client.callTool({ name: 'agent_status', arguments: {} });
  const status = structuredContent as Record<string, unknown>;
  assert.equal(status['asksOwnerAbove'], '2 NET');
  const { left, recipients } = status['spending'] as { left: object; recipients: unknown };
  assert.deepEqual(recipients, ['shop']);
  assert.match(JSON.stringify(left), /"perDay":"3 NET"/);
  write({ perWeek: '3 NET' });
  const { code, stderr } = await netd('--session', sessionFile, '--policy', policy);
  assert.equal(code, 1);
  assert.match(stderr, /policy\.json: .*perWeek/);
});

test('the key of the agent itself, and what is no session file, are refused in a sentence', async () => {
  const mixed = join(world.home, 'mixed.json');
  const session = JSON.parse(readFileSync(sessionFile, 'utf8')) as SessionFile;
  const own = JSON.parse(readFileSync(keyFile, 'utf8')) as SessionFile;
  const { publicKey, privateKey } = own;
  writeFileSync(mixed, JSON.stringify({ ...session, publicKey, privateKey }), { mode: 0o600 });
  const shared = join(world.home, 'shared.json');
  writeFileSync(shared, JSON.stringify(session), { mode: 0o644 });
  const cases: [string, RegExp][] = [
    [keyFile, /key of the agent itself/],
    [mixed, /not a session file/],
    [shared, /chmod 600/],
    [join(world.home, 'nowhere.json'), /no session file here/],
  ];
  for (const [path, sentence] of cases) {
    const { code, stdout, stderr } = await netd('--session', path);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
    assert.equal(stderr.split(path).length, sentence.source.includes('chmod') ? 3 : 2);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(stdout, '');
  }
});
