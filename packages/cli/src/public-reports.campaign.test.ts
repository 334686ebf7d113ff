/**
 * Situations from public bug reports, replayed on a node that runs as a command. Each test has the report's
 * address.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { NetClient } from '@netd/sdk';
import { Command, LAUNCHER, startDev, type DevFacts, type Ended } from './testing/command.ts';

const DEV = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];

function homeOf(t: TestContext, name = 'home'): string {
  const folder = mkdtempSync(join(tmpdir(), 'netd-reports-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, name);
  mkdirSync(home);
  return home;
}

async function devnet(
  t: TestContext,
  home: string,
  options: readonly string[] = [],
): Promise<[Command, DevFacts]> {
  const [node, facts] = await startDev([...DEV, ...options], home);
  t.after(async () => {
    node.child.kill('SIGTERM');
    await node.ended;
  });
  return [node, facts];
}

async function netd(home: string, ...args: string[]): Promise<Ended> {
  const ended = await new Command(args, home).ended;
  assert.equal(ended.code, 0, `${args.join(' ')}: ${ended.stderr}`);
  return ended;
}

// https://github.com/npm/cli/issues/6809, https://github.com/nodejs/import-in-the-middle/issues/273
test('a folder may have a number sign, an apostrophe, an escape, blanks and other letters', async (t) => {
  const home = homeOf(t, "#1 it's 100%20 für 日本");
  const [, { url, dataDir }] = await devnet(t, home);
  await netd(home, 'join', 'ada', '--url', url);
  await netd(home, 'faucet', '1NET', '--as', 'ada', '--url', url);
  await netd(home, 'backup', '--to', join(home, 'copy'), '--data-dir', dataDir);
  await netd(home, 'verify', '--data-dir', dataDir);
});

// https://github.com/foundry-rs/foundry/issues/4490, https://github.com/chiral-network/chiral-network/pull/334
test('a node that is killed at any moment of its start, and later, starts again with every event', async (t) => {
  const home = homeOf(t);
  for (const milliseconds of [200, 300, 350, 400, 450, 500, 600, 800]) {
    const { child, ended } = new Command(DEV, home);
    await sleep(milliseconds);
    child.kill('SIGKILL');
    await ended;
  }
  const eventsOf = async (url: string): Promise<unknown[]> => {
    const { events } = (await (await fetch(`${url}/v1/events?limit=200`)).json()) as {
      events: unknown[];
    };
    return events;
  };
  rmSync(join(home, 'chain', 'dev.json'), { force: true });
  const [killed, { url }] = await startDev(DEV, home);
  await netd(home, 'join', 'ada', '--url', url);
  await netd(home, 'faucet', '1NET', '--as', 'ada', '--url', url);
  const before = await eventsOf(url);
  killed.child.kill('SIGKILL');
  await killed.ended;
  rmSync(join(home, 'chain', 'dev.json'));
  const [, again] = await devnet(t, home);
  assert.ok(before.length > 1);
  assert.deepEqual((await eventsOf(again.url)).slice(-before.length), before);
  await netd(home, 'verify', '--data-dir', again.dataDir);
});

// https://github.com/cadence-workflow/cadence-web/pull/141
test('a node that is the first process of its container stops in order', async (t) => {
  const inside = ['--pid', '--fork', '--mount-proc', '--kill-child'];
  if (spawnSync('unshare', [...inside, 'true']).status !== 0) {
    return t.skip('only root can make a container');
  }
  const home = homeOf(t);
  const [node, { pid }] = await startDev(DEV, home, [
    'unshare',
    ...inside,
    process.execPath,
    LAUNCHER,
  ]);
  assert.equal(pid, 1);
  const outside = readFileSync(`/proc/${node.child.pid}/task/${node.child.pid}/children`, 'utf8');
  process.kill(Number(outside), 'SIGTERM');
  const { code, stdout } = await node.ended;
  assert.equal(code, 0);
  assert.match(stdout, /Stopping: committing pending envelopes/);
});

// https://github.com/foundry-rs/foundry/issues/4941
test('a node that listens on IPv6 alone is found by its commands', async (t) => {
  const addresses = Object.values(networkInterfaces()).flat();
  if (!addresses.some((one) => one?.address === '::1')) return t.skip('there is no IPv6 here');
  const home = homeOf(t);
  const [, { url }] = await devnet(t, home, ['--host', '::1']);
  assert.match(url, /^http:\/\/\[::1\]:/);
  await netd(home, 'join', 'ada', '--url', url);
  await netd(home, 'faucet', '1NET', '--as', 'ada', '--url', url);
});

// https://github.com/agents-squads/squads-cli/issues/138
test('a payment is made although the reader of its notes is gone', async (t) => {
  const home = homeOf(t);
  const [, { url }] = await devnet(t, home);
  await netd(home, 'join', 'ada', '--url', url);
  const faucet = `'${process.execPath}' '${LAUNCHER}' faucet 2NET --as ada --url ${url} 2>&1 | head -n 1`;
  const { stdout } = await new Command(['-c', faucet], home, ['/bin/bash']).ended;
  assert.match(stdout, /signs faucet/);
  const { account } = await new NetClient({ url }).read('/v1/agents/{agentId}', { agentId: 'ada' });
  assert.equal(account.balance, 2_000_000);
});

// https://github.com/foundry-rs/foundry/issues/6463, https://github.com/foundry-rs/foundry/pull/16208,
// https://github.com/paritytech/foundry-polkadot/issues/552
test('a laboratory goes back to one snapshot as often as asked, and to none that an earlier one took back', async (t) => {
  const home = homeOf(t);
  const [, { url }] = await devnet(t, home, ['--lab']);
  const lab = async (...args: string[]): Promise<string> =>
    (await netd(home, 'lab', ...args, '--url', url)).stdout;
  const heightIn = (text: string): number => Number(/height (\d+) of/.exec(text)?.[1]);
  const root = heightIn(await lab('snapshot'));
  for (const inner of ['s2', 's3']) {
    await lab('mine', '3');
    await lab('snapshot');
    for (const _ of [1, 2]) {
      await lab('mine', '2');
      assert.equal(heightIn(await lab('revert', inner)), root + 3);
    }
    assert.equal(heightIn(await lab('revert', 's1')), root);
    const gone = await new Command(['lab', 'revert', inner, '--url', url], home).ended;
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /LAB_SNAPSHOT_UNKNOWN/);
    assert.equal(heightIn(await lab('show')), root);
  }
});
