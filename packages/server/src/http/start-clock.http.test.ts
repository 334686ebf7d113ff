/** A wrong clock at the start of a node. Only the chain can reveal it. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@netd/engine';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';

const DAY = 86_400_000;

async function startedLater(by: number, work: (node: HttpNode) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-start-clock-'));
  const first = await HttpNode.start({ dataDir });
  await first.join('alice');
  await first.running.stop();
  const node = await HttpNode.start({
    dataDir,
    clock: { ...systemClock, now: () => systemClock.now() + by },
  });
  try {
    await work(node);
  } finally {
    await node.stop();
  }
}

test('before the last block: said at once, and no block is made', async () => {
  await startedLater(-DAY, async (node) => {
    const { status, faults } = await node.document('/health');
    assert.equal(status, 'degraded');
    assert.match(
      (faults as string[]).join('; '),
      /^the last block is of .* ahead of the clock of this machine/,
    );
    const answer = await node.post('/v1/agents/register', node.registration('bob'));
    assertProblem(answer, 503, 'CLOCK_NOT_BELIEVED');
  });
});

test('ten years after the last block: said at once', async () => {
  await startedLater(3_650 * DAY, async (node) => {
    const { status, faults } = await node.document('/health');
    assert.equal(status, 'degraded');
    assert.match(
      (faults as string[]).join('; '),
      /^this node started at .* 3650 days after the last block of/,
    );
  });
});

test('an hour after the last block: nothing to say', async () => {
  await startedLater(DAY / 24, async (node) => {
    const { status, faults } = await node.document('/health');
    assert.deepEqual([status, faults], ['ok', []]);
    await node.join('bob');
  });
});
