/** `netd compare` beside a follower that has halted over a fork. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { startFork } from '@netd/testkit/forked-chain';
import { until } from '@netd/protocol/testing';
import { runHere } from './testing/run-here.ts';

test('the table marks a follower that halted over a fork, then names the height and the address of the proof', async (t) => {
  const { writer, twin, height } = await startFork(t);
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-compare-'));
  const follower = await startFollower(t, [writer.url], { dataDir });
  await hasReached(follower, writer.node.chain.height);
  await follower.stop();
  const halted = await startFollower(t, [writer.url, twin.url], { dataDir });
  // Runs after the hook that stops the node, because a running node may write into the directory.
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  await until(() => halted.node.status.halted);
  const { code, stdout } = await runHere(['compare', writer.url, halted.url]);
  assert.equal(code, 1, stdout);
  const row = stdout.split('\n').find((line) => line.includes(halted.url));
  assert.match(String(row), new RegExp(`halted over a fork at ${height}`));
  assert.match(stdout, new RegExp(`FORK at height ${height}: `));
  assert.match(stdout, new RegExp(`${halted.url}/v1/fork-evidence`));
});
