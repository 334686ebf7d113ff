/** `netd follow` as a person runs it, and killed as by a power loss. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AgentKey, NetClient } from '@netd/sdk';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { verifyDatabase } from '@netd/node/verify';
import { inCampaign, plays } from '@netd/protocol/testing';
import { freePort } from '@netd/testkit/free-port';
import { Command, startDev } from './testing/command.ts';

const FOLLOW = ['follow', '--port', '0', '--data-dir', 'follower'];
const KILLS = plays(2, 4);

async function urlOf(command: Command): Promise<string> {
  for (;;) {
    const url = /Open\s+(http:\S+)/.exec(command.stdout)?.[1];
    if (url !== undefined) return url;
    if (command.child.exitCode !== null) throw new Error(command.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const heightAt = async (url: string): Promise<number> =>
  (await new NetClient({ url }).network()).height;

test('netd follow verifies, survives repeated kills, and remembers its origin', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-follow-cli-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const nobody = await new Command(FOLLOW, home).ended;
  assert.equal(nobody.code, 2);
  assert.match(nobody.stderr, /^netd: name at least one node to follow/m);
  const unheard = await new Command([...FOLLOW, 'http://127.0.0.1:1'], home).ended;
  assert.equal(unheard.code, 3);
  assert.match(
    unheard.stderr,
    /^netd: no node answers at http:\/\/127\.0\.0\.1:1: see that one runs there/m,
  );
  const misspelt = await new Command([...FOLLOW, 'localhost:8420'], home).ended;
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /The scheme is missing: write http:\/\/localhost:8420/);

  const [dev, { url }] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none', '--block-time', '5'],
    home,
  );
  t.after(() => dev.child.kill('SIGKILL'));
  const writer = new NetClient({ url });
  const join1 = async (name: string): Promise<void> => {
    await writer.register({ actorId: name, key: await AgentKey.generate() });
  };
  for (let round = 0; round < KILLS; round++) {
    const follower = new Command(round === 0 ? [...FOLLOW, url] : FOLLOW, home);
    t.after(() => follower.child.kill('SIGKILL'));
    const followerUrl = await urlOf(follower);
    for (let count = 0; count < 25; count++) await join1(`agent-${round}-${count}`);
    if (round < KILLS - 1) {
      follower.child.kill('SIGKILL');
      await follower.ended;
      continue;
    }
    const { height } = await writer.network();
    while ((await heightAt(followerUrl)) < height)
      await new Promise((done) => setTimeout(done, 50));
    const agreed = await new Command(['compare', url, followerUrl], home).ended;
    assert.deepEqual([agreed.code, agreed.stderr], [0, '']);
    assert.match(agreed.stdout, /They agree/);
    follower.child.kill('SIGTERM');
    const { code, stdout } = await follower.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Stopped at height \d+/);
    const { genesisHash } = await writer.network();
    const alone = await new Command(['compare', url, followerUrl, '--json'], home).ended;
    assert.equal(alone.code, 1);
    assert.equal((JSON.parse(alone.stdout) as { verdict: string }).verdict, 'incomplete');
    const report = await verifyDatabase(join(home, 'follower', 'chain'), { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= height);
  }
});

test('netd follow begins at a checkpoint that a trusted block vouches for, and has every block soon', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-follow-from-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [dev, { url }] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none', '--block-time', '5'],
    home,
  );
  t.after(() => dev.child.kill('SIGKILL'));
  const writer = new NetClient({ url });
  for (let count = 0; count < 40; count++) {
    await writer.register({ actorId: `agent-${count}`, key: await AgentKey.generate() });
  }
  const { height, blockHash } = await writer.network();
  const start = [...FOLLOW, url, '--from', 'checkpoint', '--checkpoint'];
  const wrong = await new Command([...start, `${height}:${'ab'.repeat(32)}`], home).ended;
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /no origin serves the chain you trust \(http\S+ serves a chain whose block \d+ is/,
  );
  const loud = ['--log-level', 'info'];
  const follower = new Command([...start, `${height}:${blockHash}`, ...loud], home);
  t.after(() => follower.child.kill('SIGKILL'));
  const followerUrl = await urlOf(follower);
  assert.match(follower.stdout, /Anchor\s+block \d+ you trust/);
  assert.match(follower.stderr, /The state of height \d+ is here, with the root that is certified/);
  // Every line is JSON, also without a terminal.
  for (const line of follower.stderr.trim().split('\n'))
    assert.ok('level' in JSON.parse(line), line);
  while (!follower.stdout.includes('Every block since genesis is here')) {
    assert.equal(follower.child.exitCode, null, follower.stderr);
    await new Promise((done) => setTimeout(done, 50));
  }
  const agreed = await new Command(['compare', url, followerUrl], home).ended;
  assert.deepEqual([agreed.code, agreed.stderr], [0, '']);
  follower.child.kill('SIGTERM');
  assert.equal((await follower.ended).code, 0);
  const report = await verifyDatabase(join(home, 'follower', 'chain'), {});
  assert.equal(report.fault, null);
});

test(
  'netd follow answers for itself while a state is fetched, and a signal stops it in order then, too',
  inCampaign,
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'netd-follow-early-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const [dev, { url, chainId }] = await startDev(
      ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none', '--block-time', '5'],
      home,
    );
    t.after(() => dev.child.kill('SIGKILL'));
    const writer = new NetClient({ url });
    await writer.register({ actorId: 'ada', key: await AgentKey.generate() });
    const origin = await TamperingProxy.before(url);
    t.after(() => origin.close());
    let isHeld = true;
    // One chunk never arrives.
    origin.tamper = (path, document) =>
      isHeld && path.includes('/chunks/') ? new Promise<never>(() => {}) : document;
    const port = await freePort();
    const start = ['follow', origin.url, '--port', `${port}`, '--data-dir', 'follower'];
    const follower = new Command([...start, '--from', 'checkpoint'], home);
    t.after(() => follower.child.kill('SIGKILL'));
    const here = `http://127.0.0.1:${port}`;
    const readyz = await whenSays(follower, `${here}/readyz`, 'restores');
    assert.equal(readyz.status, 503);
    assert.match(String(readyz.problem['detail']), /restores the state of height \d+; step 1 of 3/);
    const live = await fetch(`${here}/livez`);
    assert.deepEqual(
      [live.status, ((await live.json()) as { chainId: string }).chainId],
      [200, chainId],
    );
    const status = await new Command(['status', '--url', here], home).ended;
    assert.equal(status.code, 3, 'too busy');
    assert.match(status.stderr, /restores the state of height/);
    follower.child.kill('SIGTERM');
    const { code, stdout } = await follower.ended;
    assert.equal(code, 0);
    assert.match(stdout, /^Stopped before the follower was ready/m);
    isHeld = false;
    const again = new Command(start, home);
    t.after(() => again.child.kill('SIGKILL'));
    assert.equal(await urlOf(again), here);
    assert.equal((await fetch(`${here}/readyz`)).status, 200);
    again.child.kill('SIGTERM');
    assert.equal((await again.ended).code, 0);
  },
);

interface Said {
  status: number;
  problem: Record<string, unknown>;
}

/** Polls a starting follower until its answer contains the word, and returns that answer. */
async function whenSays({ child, stderr }: Command, url: string, word: string): Promise<Said> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    const text = (await answer?.text()) ?? '';
    if (answer && text.includes(word)) {
      return { status: answer.status, problem: JSON.parse(text) as Said['problem'] };
    }
    if (child.exitCode !== null) throw new Error(stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('netd follow with a key is listed by the network, and hands on what is written to it', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-follow-seen-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const idle = await new Command([...FOLLOW, 'http://127.0.0.1:1', '--region', 'eu'], home).ended;
  assert.equal(idle.code, 2);
  assert.match(idle.stderr, /name a --key that signs them/);
  const [dev, { url }] = await startDev(
    ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none', '--block-time', '5'],
    home,
  );
  t.after(() => dev.child.kill('SIGKILL'));
  const { chainId } = await new NetClient({ url }).network();
  const joining = ['join', 'fay', 'runs a follower', '--url', url, '--key-dir', 'keys'];
  const joined = await new Command(joining, home).ended;
  assert.equal(joined.code, 0, joined.stderr);
  const key = join('keys', chainId, 'fay.json');
  const follower = new Command(
    [...FOLLOW, url, '--key', key, '--region', 'eu', '--country-code', 'AT', '--forward-writes'],
    home,
  );
  t.after(() => follower.child.kill('SIGKILL'));
  const followerUrl = await urlOf(follower);
  const client = new NetClient({ url: followerUrl });
  for (;;) {
    const { nodes } = await client.read('/v1/nodes');
    if (nodes[0]?.agentId === 'fay') {
      const { status, heartbeat } = nodes[0];
      assert.deepEqual([status, heartbeat.region, heartbeat.countryCode], ['LIVE', 'eu', 'AT']);
      break;
    }
    if (follower.child.exitCode !== null) throw new Error(follower.stderr);
    await new Promise((done) => setTimeout(done, 50));
  }
  await client.register({ actorId: 'gus', key: await AgentKey.generate() });
  assert.equal(
    (await client.read('/v1/agents/{agentId}', { agentId: 'gus' })).agent.agentId,
    'gus',
  );
  follower.child.kill('SIGTERM');
  const { code, stderr, stdout } = await follower.ended;
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /Seen {5}in \/v1\/nodes/);
  assert.match(stdout, /hands writes on to its origins/);
});
