/** The command as a person uses it: start, join, act, stop, continue. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { Command, startDev, type DevFacts, type Ended } from './testing/command.ts';

const BEACON =
  '{"endpoint":"https://agent.example/a2a","capabilities":["research"],"protocols":["a2a/1.0"]}';

const devArgs = `dev --port 0 --data-dir chain --house none --block-time 5 --discovery-rate 2
  --allowed-origins app.example,[::2]`.split(/\s+/);

let home: string;
let dev: Command;
let facts: DevFacts;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'netd-cli-'));
  [dev, facts] = await startDev(devArgs, home);
});
after(async () => {
  dev.child.kill('SIGKILL');
  await dev.ended;
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Ended> => new Command(args, home).ended;

test('dev reports its address to people and to scripts', async () => {
  assert.equal(facts.schema, 'NET-DEV/1');
  assert.equal(facts.pid, dev.child.pid);
  assert.match(facts.chainId, /^net-devnet-[a-z2-9]{8}$/);
  assert.ok(dev.stdout.includes(facts.url), dev.stdout);
  assert.match(dev.stdout, /a new chain/);
  assert.ok(existsSync(facts.operatorKeyPath));
  assert.equal((await fetch(`${facts.url}/health`)).status, 200);
  assert.ok(!dev.stdout.includes('PRIVATE'));
});

test('a second node on the same directory is refused, and the first goes on', async () => {
  const { code, stderr } = await run(...devArgs);
  assert.equal(code, 1);
  assert.match(stderr, /another netd \(process \d+ on .*\) is running on .*; stop it first/);
  assert.ok(!stderr.includes('    at '), 'a sentence, not a stack');
  assert.ok(existsSync(join(home, 'chain', 'dev.json')));
  assert.equal((await fetch(`${facts.url}/health`)).status, 200);
});

test('a port in use is reported in a sentence', async () => {
  const { port } = new URL(facts.url);
  const { code, stderr } = await run('dev', '--port', port, '--data-dir', 'other');
  assert.equal(code, 1);
  assert.match(stderr, /port \d+ on 127\.0\.0\.1 is in use/);
  assert.equal(existsSync(join(home, 'other')), false, 'no chain has been begun');
});

test('open mode is a matter of the chain, and told', async () => {
  const away = mkdtempSync(join(tmpdir(), 'netd-cli-open-'));
  const [command] = await startDev([...devArgs, '--open'], away);
  assert.match(command.stdout, /Open mode .*without a signature/);
  command.child.kill('SIGTERM');
  assert.equal((await command.ended).code, 0);
  const { code, stderr } = await new Command([...devArgs, '--host', '0.0.0.0'], away).ended;
  rmSync(away, { recursive: true, force: true });
  assert.equal(code, 1);
  assert.match(stderr, /only for --host 127\.0\.0\.1/);
  assert.ok(!dev.stdout.includes('Open mode'));
});

/** Returns every third entry of a long list. A build tries only these; a campaign tries all. */
const everyThird = <One>(all: readonly One[]): One[] =>
  all.filter((_one, index) => index % 3 === 0);

test('wrong options are refused before anything is made', async () => {
  const wrong = [
    ['dev', '--chain-id', '../up'],
    ['dev', '--port', 'many'],
    ['dev', '--port', '65536'],
    ['dev', '--block-time', '0'],
    ['dev', '--log-level', 'loud'],
    ['dev', '--house', 'full'],
    ['dev', '--public-url', 'ftp://x'],
    ['blobs', '--public-url', 'https://x.example/net'],
    ['dev', '--discovery-rate', '0'],
    ['dev', '--discovery-rate', '1000001'],
    ['dev', '--allowed-hosts', 'a.example:80'],
    ['dev', '--allowed-hosts', 'a.example,'],
    ['dev', '--allowed-origins', 'https://a.example'],
    ['fly'],
  ];
  for (const args of plays(everyThird(wrong), wrong)) {
    const { code, stderr } = await run(
      ...args,
      ...(args[0] === 'dev' ? ['--data-dir', 'wrong'] : []),
    );
    assert.equal(code, 2, args.join(' '));
    assert.ok(stderr.length > 0);
  }
  assert.ok(!existsSync(join(home, 'wrong')));
});

test('MCP answers to the origins and as often as the options say', async () => {
  const statuses: number[] = [];
  for (const origin of ['https://app.example', 'https://other.example', 'http://[::2]', null]) {
    const { status } = await fetch(`${facts.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(origin === null ? {} : { origin }) },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    statuses.push(status);
  }
  assert.deepEqual(statuses, [200, 403, 200, 429]);
});

test('an agent joins, and joins only once', async () => {
  const first = await run('join', 'my-agent', 'reads papers', '--url', facts.url);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`Joined ${facts.chainId} as my-agent`));
  const again = await run('join', 'my-agent', '--url', facts.url);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /recovered/);
});

test('an agent acts with what is its own to decide', async () => {
  const { code, stdout, stderr } = await run(
    'act',
    'my-agent',
    'publishBeacon',
    BEACON,
    '--url',
    facts.url,
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /my-agent did publishBeacon, committed at height \d+/);
  const discovery = (await (
    await fetch(`${facts.url}/v1/discovery?capability=research`)
  ).json()) as { beacons: unknown[] };
  assert.equal(discovery.beacons.length, 1);
});

test('a payload that does not fit is explained, and a dry run only tells', async () => {
  const bad = await run(
    'act',
    'my-agent',
    'publishBeacon',
    '{"endpoint":"http://x","capabilities":[]}',
    '--url',
    facts.url,
  );
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /\/payload\/endpoint/);
  assert.match(bad.stderr, /\/payload\/capabilities/);
  assert.match(bad.stderr, /\/payload\/protocols is required/);
  const dry = await run(
    'act',
    'withdrawBeacon',
    '--dry-run',
    '--as',
    'my-agent',
    '--url',
    facts.url,
  );
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /"outcome": "accepted"/);
  const discovery = (await (await fetch(`${facts.url}/v1/discovery`)).json()) as {
    beacons: unknown[];
  };
  assert.equal(discovery.beacons.length, 1);
});

test('mistakes end in a sentence and the exit code of their kind', async () => {
  const mistakes = [
    [['act', 'nobody', 'withdrawBeacon', '--url', facts.url], 2, /there is no key for nobody/],
    [['act', 'my-agnt', 'withdrawBeacon', '--url', facts.url], 2, /did you mean my-agent\?/],
    [['act', 'my-agent', 'doMagic', '--url', facts.url], 2, /no such action/],
    [['act', 'my-agent', 'withdrawBecon', '--url', facts.url], 2, /did you mean withdrawBeacon\?/],
    [['act', 'my-agent', 'withdrawBeacon', '{x}', '--url', facts.url], 2, /not JSON/],
    [['act', 'my-agent', 'withdrawBeacon', '[]', '--url', facts.url], 2, /must be a JSON object/],
    [['act', 'my-agent', 'withdrawBeacon', '--url', 'http://127.0.0.1:1'], 3, /no node answers/],
    [
      ['act', 'operator', 'withdrawBeacon', '--key', 'missing.json', '--url', facts.url],
      1,
      /missing\.json/,
    ],
    [['join', 'x', '--url', facts.url], 2, /can't be an agent name/],
    [['fly'], 2, /unknown command 'fly'/],
    [['agnets'], 2, /Did you mean agents\?/],
    [['agents', '--jsn'], 2, /Did you mean --json\?/],
  ] as const;
  for (const [args, expected, sentence] of plays(everyThird(mistakes), [...mistakes])) {
    const { code, stderr } = await run(...args);
    assert.equal(code, expected, args.join(' '));
    assert.match(stderr, sentence, args.join(' '));
    assert.ok(!stderr.includes('    at '), `a stack: ${stderr}`);
  }
});

test('a directory without a chain, or no directory, is refused, and nothing is made in it', async () => {
  writeFileSync(join(home, 'file'), '');
  for (const [args, sentence] of [
    [
      ['verify', '-d', 'nowhere'],
      /there is no chain in .*nowhere: name its data directory with -d, or a node with --url/,
    ],
    [['verify', '-d', 'file'], /there is no chain in .*file: name/],
    [['dev', '--port', '0', '-d', 'file'], /data directory .*file is a file: choose a directory/],
    [['dev', '--port', '0', '-d', 'file/below'], /below lies below a file/],

    [['verify', '--url', facts.url, '--min-height', '1000000'], /^NOT VALID at height \d+: the/],
  ] as const) {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stdout + stderr.replace(/^verifying.*\n/gm, ''), sentence, args.join(' '));
    assert.ok(!stderr.includes('    at '), `a stack: ${stderr}`);
  }
  const { code, stderr } = await run('verify', '--url', facts.url, '--min-height', 'x');
  assert.equal(code, 2);
  assert.match(stderr, /A height is needed/);
  assert.ok(!existsSync(join(home, 'nowhere')));
});

test('the operator acts with the key of the data directory', async () => {
  const { code, stderr } = await run(
    'act',
    'operator',
    'setAgentStatus',
    '{"agentId":"my-agent","status":"suspended"}',
    '--key',
    facts.operatorKeyPath,
    '--url',
    facts.url,
  );
  assert.equal(code, 0, stderr);
});

test('a node told to end does so with 0, and the next start goes on with what it held', async () => {
  dev.child.kill('SIGTERM');
  const { code, stdout, stderr } = await dev.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Stopped at height \d+/);
  assert.ok(!existsSync(join(home, 'chain', 'dev.json')));
  const height = Number(/Stopped at height (\d+)/.exec(stdout)?.[1]);
  [dev, facts] = await startDev(devArgs, home);
  assert.match(dev.stdout, new RegExp(`going on at height ${height}`));
  assert.match(dev.stdout, /By hand, from the checkout/);
  assert.doesNotMatch(dev.stdout, /earn\.mjs/, 'offers no paid example if there is no house');
  const document = (await (await fetch(`${facts.url}/v1/agents/my-agent`)).json()) as {
    agent: { status: string };
  };
  assert.equal(document.agent.status, 'suspended');
});

test('a node that was killed goes on too', async () => {
  dev.child.kill('SIGKILL');
  await dev.ended;
  [dev, facts] = await startDev(devArgs, home);
  assert.equal((await fetch(`${facts.url}/v1/agents/my-agent`)).status, 200);
});
