/** A follower survives kills at any moment, a full disk, a wrong clock, and a writer that goes back. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plays, until } from '@netd/protocol/testing';
import { systemClock, verifyDatabase } from '@netd/engine';
import type { Failpoint } from '@netd/engine/testing';
import { recover, serve } from '@netd/node';
import { startFollower } from '@netd/testkit/start-follower';
import { join as register } from '@netd/testkit/forked-chain';
import { freePort } from '@netd/testkit/free-port';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';

const CHILD = fileURLToPath(import.meta.resolve('@netd/testkit/follower-child'));
const PATIENCE_MILLISECONDS = 120_000;

/** Runs the child until it dies, or has printed the expected text. */
async function run(
  command: string,
  args: string[],
  plan: string,
  isEnough: (lines: readonly string[]) => boolean,
): Promise<{ lines: string[]; signal: string | null }> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NET_FAILPOINT: plan },
  });
  const closed = once(child, 'close');
  const guard = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MILLISECONDS);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (isEnough(lines)) child.kill('SIGKILL');
  }
  const [, signal] = (await closed) as [number | null, string | null];
  clearTimeout(guard);
  return { lines, signal };
}

describe('beside a writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await HttpNode.start();
    for (let i = 0; i < 30; i++) await writer.join(`agent-${i}`);
  });
  after(() => writer.stop());

  /** Verifies the database that the killed process left, then follows to the head. */
  async function reopen(t: TestContext, dataDir: string): Promise<void> {
    const left = await verifyDatabase(join(dataDir, 'chain'), {});
    assert.equal(left.fault, null);
    const follower = await startFollower(t, [writer.url], { dataDir });
    await until(() => follower.node.chain.height === writer.height);
    assert.equal(
      follower.node.chain.head.blockHash,
      writer.running.node.chain.head.blockHash,
      'the same head',
    );
    await follower.stop();
    const report = await verifyDatabase(join(dataDir, 'chain'), {});
    assert.deepEqual([report.fault, report.height], [null, writer.height]);
  }

  const moments: Failpoint[] = ['block.durable', 'block.writing', 'block.answered'];
  for (const name of plays(moments.slice(0, 1), moments)) {
    test(`killed at ${name}, it has every block or none of it, and goes on`, async (t) => {
      const dataDir = tempDir(t);
      const args = [CHILD, dataDir, writer.url];
      const { lines, signal } = await run(process.execPath, args, `${name}@7`, () => false);
      assert.equal(signal, 'SIGKILL');
      assert.ok(!lines.includes('at 8'), lines.join());
      await reopen(t, dataDir);
    });
  }

  test('on a full disk it stands, says so, and goes on once there is room', async (t) => {
    if (process.platform !== 'linux') return t.skip('file sizes are limited by the shell of Linux');
    const dataDir = tempDir(t);
    // In blocks of 1 KiB: a follower's chain needs about as much as the writer's.
    const { size } = statSync(join(writer.running.node.dataDir.storePath, 'data.mdb'));
    const limited = `ulimit -f ${Math.floor((size / 1_024) * 0.7)}; exec "$0" "$@"`;
    const args = ['-c', limited, process.execPath, CHILD, dataDir, writer.url];
    const { lines, signal } = await run(
      'bash',
      args,
      '',
      (said) => said.filter((line) => line === 'failure').length >= 2,
    );
    assert.equal(signal, 'SIGKILL', 'the process lived until it was killed');
    assert.ok(lines.includes('failure'));
    await reopen(t, dataDir);
  });

  for (const years of plays([10], [-10, 10])) {
    test(`a clock that is ${years} years off keeps it from nothing`, async (t) => {
      const now = (): number => systemClock.now() + years * 365 * 86_400_000;
      const follower = await startFollower(t, [writer.url], { clock: { ...systemClock, now } });
      await until(() => follower.node.chain.height === writer.height);
      assert.deepEqual(follower.node.faults(), []);
    });
  }
});

test('waits for a writer that goes back, and halts if it continues differently', async (t) => {
  const [dataDir, older] = [tempDir(t), tempDir(t)];
  const options = { host: '127.0.0.1', blockTime: 1, idleBlockTime: 100_000_000 };
  const port = await freePort();
  const first = await serve({ ...options, port, dataDir });
  await register(first, 'alice');
  await first.stop();
  cpSync(dataDir, older, { recursive: true });
  await recover({ dataDir: older, from: [] });
  const ahead = await serve({ ...options, port, dataDir });
  await register(ahead, 'bob');
  await register(ahead, 'carol');
  const follower = await startFollower(t, [ahead.url]);
  const { height } = ahead.node.chain;
  await until(() => follower.node.chain.height === height);
  await ahead.stop();
  // The operator restores a backup, which lacks the newest blocks.
  const back = await serve({ ...options, port, dataDir: older });
  t.after(() => back.stop());
  let asked = 0;
  back.app.server.on('request', ({ url }) => {
    if (url === '/v1/network') asked += 1;
  });
  await until(() => asked > 2);
  assert.deepEqual([follower.node.chain.height, follower.node.status.halted], [height, false]);
  assert.equal((await fetch(`${follower.url}/v1/agents/carol`)).status, 200);
  await register(back, 'mallory');
  await until(() => follower.node.status.halted);
  assert.equal(follower.node.chain.height, height);
});
