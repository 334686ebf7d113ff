/** Nodes without version 2 of the rules halt before it, and the new ones continue with the same directories. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DEVNET_POLICY } from '@netd/ledger';
import { hashOfDigit, plays } from '@netd/protocol/testing';
import { verifyDatabase } from '@netd/node/verify';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { Command, LAUNCHER, startDev, type DevFacts } from './testing/command.ts';

const HOOK = import.meta.resolve('@netd/testkit/without-version-2');
const ARTIFACT = hashOfDigit('a');

let home: string;
const running: Command[] = [];
before(() => {
  home = mkdtempSync(join(tmpdir(), 'netd-rules-'));
});
after(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(home, { recursive: true, force: true });
});

async function start(...flags: string[]): Promise<[Command, DevFacts]> {
  const args = ['dev', '--port', '0', '--house', 'none', '--quiet', '--data-dir', 'chain'];
  const started = await startDev(args, home, [process.execPath, ...flags, LAUNCHER]);
  running.push(started[0]);
  return started;
}

const read = async <T>(url: string, path: string): Promise<T> =>
  (await (await fetch(new URL(path, url))).json()) as T;

/** Polls until it holds, because a halted node makes no more events. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it never came to that');
}

interface Health {
  height: number;
  faults: string[];
}

interface Network {
  height: number;
  rules: { version: number; name: string | null; scheduled: { version: number } | null };
}

test('halts before version 2, and the version that has it goes on', async () => {
  const timelock = { heights: 2, milliseconds: 1 };
  const policy = { governance: { ...DEVNET_POLICY.governance, timelock } };
  makeFastDevnet(join(home, 'chain'), { policy, rules: 1 });
  const [command, old] = await start('--import', HOOK);
  const health = () => read<Health>(old.url, '/health');
  const height = (await health()).height + 4;
  const act = async (action: string, payload: object): Promise<void> => {
    const words = ['act', old.operatorActorId, action, JSON.stringify(payload)];
    const { code, stderr } = await new Command(
      [...words, '--key', old.operatorKeyPath, '--url', old.url],
      home,
    ).ended;
    assert.equal(code, 0, stderr);
  };
  await act('scheduleRules', { version: 2, height, artifactHash: ARTIFACT });
  const status = await new Command(['status', '--url', old.url], home).ended;
  assert.match(
    status.stdout,
    new RegExp(
      `^ +rules +version 1 .*version 2 .* block ${height}, after \\d more blocks, .*${ARTIFACT}$`,
      'm',
    ),
  );
  const { rules } = await read<Network>(old.url, '/v1/network');
  assert.deepEqual([rules.version, rules.scheduled?.version], [1, 2]);
  await until(async () => (await health()).faults.some((fault) => fault.includes(ARTIFACT)));
  // The next block decides the schedule.
  await act('fundRewardPool', { amount: 1 });
  const halted = await command.ended;
  assert.equal(halted.code, 4);
  assert.match(halted.stderr, new RegExp(`^netd: block ${height} .*${ARTIFACT}$`, 'm'));

  const [next, young] = await start();
  const network = () => read<Network>(young.url, '/v1/network');
  await until(async () => (await network()).height >= height);
  const { rules: active } = await network();
  assert.deepEqual(active, { version: 2, name: 'named-genesis', scheduled: null });
  await followersHalt(young.url, height);
  next.child.kill('SIGTERM');
  await next.ended;
  const verified = await new Command(['verify', '-d', 'chain'], home).ended;
  assert.equal(verified.code, 0, verified.stderr);
});

/** One follower executes every block. In a campaign, another starts from a state of version 2. */
async function followersHalt(url: string, height: number): Promise<void> {
  const lacksRules = new RegExp(`^netd: block \\d+ has version 2 .*${ARTIFACT}$`, 'm');
  for (const from of plays(['genesis'], ['genesis', 'checkpoint'])) {
    const args = ['follow', url, '--from', from, '--port', '0', '--data-dir', from];
    const old = new Command(args, home, [process.execPath, '--import', HOOK, LAUNCHER]);
    running.push(old);
    const { code, stderr } = await old.ended;
    assert.equal(code, 4, stderr);
    assert.match(stderr, lacksRules);
    if (from === 'genesis') {
      const report = await verifyDatabase(join(home, from, 'chain'), {});
      assert.deepEqual([report.height, report.fault], [height - 1, null]);
    }
    const young = new Command(args, home);
    running.push(young);
    const follower = (): string | undefined => /Open\s+(http:\S+)/.exec(young.stdout)?.[1];
    await until(async () => {
      const at = follower();
      return at !== undefined && (await read<Network>(at, '/v1/network')).height >= height;
    });
    young.child.kill('SIGTERM');
    const ended = await young.ended;
    assert.equal(ended.code, 0, ended.stderr);
  }
}
