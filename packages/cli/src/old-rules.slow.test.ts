/** A node without version 2 of the rules halts before it, and the new one continues with the same directory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DEVNET_POLICY } from '@netd/ledger';
import { hashOfDigit } from '@netd/protocol/testing';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { Command, LAUNCHER, startDev, type DevFacts } from './testing/command.ts';

const HOOK = import.meta.resolve('@netd/testkit/without-version-2');
const ARTIFACT = hashOfDigit('a');

let home: string;
let running: Command | null = null;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'netd-rules-'));
});
after(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  running?.child.kill('SIGTERM');
  await running?.ended;
  running = null;
}

async function start(...flags: string[]): Promise<DevFacts> {
  const args = ['dev', '--port', '0', '--house', 'none', '--quiet', '--data-dir', 'chain'];
  const [command, facts] = await startDev(args, home, [process.execPath, ...flags, LAUNCHER]);
  running = command;
  return facts;
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
  makeFastDevnet(join(home, 'chain'), { policy });
  const old = await start('--import', HOOK);
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
  const { rules } = await read<Network>(old.url, '/v1/network');
  assert.deepEqual([rules.version, rules.scheduled?.version], [1, 2]);
  await until(async () => (await health()).faults.some((fault) => fault.includes(ARTIFACT)));
  // The block after this one is due, and decides.
  await act('fundRewardPool', { amount: 1 });
  const halted = await running?.ended;
  running = null;
  assert.equal(halted?.code, 1);
  assert.match(halted?.stderr ?? '', new RegExp(`^netd: block ${height} .*${ARTIFACT}$`, 'm'));

  const young = await start();
  const network = () => read<Network>(young.url, '/v1/network');
  await until(async () => (await network()).height >= height);
  const { rules: active } = await network();
  assert.deepEqual(active, { version: 2, name: 'named-genesis', scheduled: null });
  await stop();
  const verified = await new Command(['verify', '-d', 'chain'], home).ended;
  assert.equal(verified.code, 0, verified.stderr);
});
