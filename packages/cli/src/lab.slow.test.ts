/** `netd lab` works on a laboratory, and on no other chain. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { labKey } from '@netd/sdk/test';
import { Command, startDev, type DevFacts, type Ended } from './testing/command.ts';

interface Laboratory {
  height: number;
  clock: string;
  mode: string;
  snapshots: { id: string; height: number }[];
}

let home: string;
const nodes: Command[] = [];
before(() => {
  home = mkdtempSync(join(tmpdir(), 'netd-lab-'));
});
after(async () => {
  for (const { child, ended } of nodes) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
});

async function start(folder: string, ...args: string[]): Promise<DevFacts> {
  const quiet = ['--port', '0', '--house', 'none', '--quiet', '--data-dir', 'chain'];
  const own = join(home, folder);
  mkdirSync(own, { recursive: true });
  const [node, facts] = await startDev(['dev', ...quiet, ...args], own);
  nodes.push(node);
  return facts;
}

const run = (url: string, ...args: string[]): Promise<Ended> =>
  new Command([...args, '--url', url], home).ended;

async function lab(url: string, ...args: string[]): Promise<Laboratory> {
  const { code, stdout, stderr } = await run(url, 'lab', ...args, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Laboratory;
}

test('mines, moves time, stops blocks, and derives keys', async () => {
  const { url } = await start('.', '--lab');
  const { height, clock, mode } = await lab(url);
  assert.equal(mode, 'automatic');
  assert.equal((await lab(url, 'auto', 'off')).mode, 'none');
  const mined = await lab(url, 'mine', '3');
  assert.ok(mined.height >= height + 3);
  const moved = await lab(url, 'time', '2h', '--blocks', '2');
  assert.equal(moved.height, mined.height + 2);
  assert.ok(Date.parse(moved.clock) - Date.parse(clock) >= 7_200_000);
  const past = await run(url, 'lab', 'time', '2020-01-01');
  assert.deepEqual([past.code, past.stdout], [1, '']);
  assert.match(past.stderr, /never runs back/);
  for (const [span, sentence] of [
    ['soon', /A span is needed/],
    ['-1s', /unknown option/],
  ] as const) {
    const { code, stderr } = await run(url, 'lab', 'time', span);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
  }
  assert.equal((await lab(url, 'auto', 'each')).mode, 'each');
  const { snapshots, height: kept } = await lab(url, 'snapshot');
  assert.deepEqual(snapshots, [{ id: 's1', height: kept }]);
  await lab(url, 'mine', '7');
  assert.equal((await lab(url, 'revert')).height, kept);
  assert.equal((await lab(url, 'revert', 's1')).height, kept);
  const unknown = await run(url, 'lab', 'revert', 's9');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /There is no snapshot "s9"/);
  assert.match((await run(url, 'lab')).stdout, /snapshots s1 \(height \d+\)/);
  for (const again of [1, 2]) {
    const { code, stdout, stderr } = await run(url, 'lab', 'key', 'ada', '--key-dir', 'keys');
    assert.equal(code, 0, `${again}: ${stderr}`);
    assert.match(stdout, /known to all/);
  }
  const other = await run(url, 'lab', 'key', 'ada', '--key-dir', 'keys', '--seed', 'x');
  assert.deepEqual([other.code, /never written over/.test(other.stderr)], [1, true], other.stderr);
  const joined = await run(url, 'join', 'ada', '--key-dir', 'keys');
  assert.equal(joined.code, 0, joined.stderr);
  const shown = await run(url, 'agents', 'ada', '--json');
  assert.ok(shown.stdout.includes(labKey('ada').publicKeyHash), shown.stdout);
  const status = await run(url, 'status');
  assert.match(status.stdout, /laboratory {2}a chain for tests/);
  const verified = await run(url, 'verify');
  assert.match(verified.stdout, /It is a laboratory/);
});

test('obeys on no other chain, and gives no key for it', async () => {
  const { url } = await start('other');
  for (const args of [['show'], ['mine'], ['time', '1s'], ['auto', 'off'], ['key', 'ada']]) {
    const { code, stderr } = await run(url, 'lab', ...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, /no laboratory/, args.join(' '));
  }
});

test('a temporary node says its facts in a line, and is gone with its input', async () => {
  const node = new Command(
    ['dev', '--temporary', '--json', '--port', '0', '--house', 'none'],
    home,
  );
  nodes.push(node);
  while (!node.stdout.includes('\n')) {
    assert.equal(node.child.exitCode, null, node.stderr);
    await new Promise((resolve) => node.child.stdout?.once('data', resolve));
  }
  const facts = JSON.parse(node.stdout) as DevFacts & { laboratory: boolean };
  assert.deepEqual([facts.schema, facts.laboratory], ['NET-DEV/1', false]);
  assert.equal((await fetch(`${facts.url}/livez`)).status, 200);
  node.child.stdin?.end();
  const { code, stdout, stderr } = await node.ended;
  assert.deepEqual([code, stdout.trim().split('\n').length, stderr], [0, 1, '']);
  assert.throws(() => rmSync(facts.dataDir, { recursive: true }), { code: 'ENOENT' });
  const both = await new Command(['dev', '--temporary', '--data-dir', 'x'], home).ended;
  assert.deepEqual([both.code, /--temporary/.test(both.stderr)], [2, true], both.stderr);
});

test('netd trace tells what a transition did, and netd replay what one would have done', async () => {
  const { url } = await start('traced', '--lab');
  const joined = await run(url, 'join', 'tess', '--key-dir', 'keys');
  assert.equal(joined.code, 0, joined.stderr);
  const fields = ['act', 'tess', 'extendAgentCapabilities', 'actions=faucet', '--key-dir', 'keys'];
  assert.equal((await run(url, ...fields)).code, 0);
  const acted = await run(
    url,
    'act',
    'tess',
    'faucet',
    'amount=2NET',
    '--key-dir',
    'keys',
    '--json',
  );
  assert.equal(acted.code, 0, acted.stderr);
  const { transitionHash, height } = JSON.parse(acted.stdout) as {
    transitionHash: string;
    height: number;
  };

  // The node and its data directory give the same trace.
  const asked = await run(url, 'trace', transitionHash, '--json');
  assert.equal(asked.code, 0, asked.stderr);
  const here = join(home, 'traced', 'chain');
  const looking = (...args: string[]) => new Command([...args, '--data-dir', here], home).ended;
  const looked = await looking('trace', transitionHash, '--json');
  assert.equal(looked.code, 0, looked.stderr);
  assert.deepEqual(JSON.parse(looked.stdout), JSON.parse(asked.stdout));
  const receipt = join(home, 'traced', 'receipt.json');
  writeFileSync(receipt, acted.stdout);
  const { code, stdout, stderr } = await looking('trace', receipt);
  assert.equal(code, 0, stderr);
  for (const sentence of [
    /rules, in order/,
    /✓ +FAUCET_DAILY_LIMIT/,
    /account\/tess\n +- \{"accountId":"tess","balance":0/,
    /FaucetPaid/,
  ]) {
    assert.match(stdout, sentence);
  }

  const act = ['--act', 'tess', 'faucet', 'amount=2NET'];
  const early = await looking('replay', '--at', String(height - 2), ...act);
  assert.deepEqual([early.code, early.stderr], [1, '']);
  assert.match(early.stdout, /would have been refused in block/);
  assert.match(early.stdout, /✗ +CAPABILITY_MISSING/);
  const late = await looking('replay', '--at', String(height - 1), ...act, '--json');
  assert.equal(late.code, 0, late.stderr);
  assert.equal((JSON.parse(late.stdout) as { outcome: string }).outcome, 'accepted');

  for (const [args, sentence] of [
    [['trace', 'ab'.repeat(32)], /has no transition/],
    [['trace', 'nothing-here'], /neither the hash of a transition nor a file/],
    [['replay', '--act', 'tess'], /takes an agent, an action and its members/],
    [['replay', '--at', '1000000', ...act], /the chain ends at height/],
  ] as const) {
    const ended = await looking(...args);
    assert.notEqual(ended.code, 0);
    assert.match(ended.stderr, sentence);
  }
});
