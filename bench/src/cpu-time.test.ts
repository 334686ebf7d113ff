import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { cpuResult, cpuTimeOf, cpuTimeSince } from './cpu-time.ts';

/** Microseconds of its own, however many others want the core. */
const BUSY = 'while (process.threadCpuUsage().user < 300_000);';

test('the time of a verifier is counted apart from that of the event loop', async () => {
  const before = cpuTimeOf(process.pid);
  const worker = new Worker(
    `${BUSY} require('node:worker_threads').parentPort.once('message', () => {}).postMessage(null);`,
    { eval: true, name: 'verifier' },
  );
  await once(worker, 'message');
  const { main, verifiers } = cpuTimeSince(before, cpuTimeOf(process.pid));
  await worker.terminate();
  assert.ok(verifiers > 2 * main, `verifier ${verifiers} µs, event loop ${main} µs`);
});

test('a cost is CPU time by intent in units of one verification, the median of the turns', () => {
  const turn = (main: number): Parameters<typeof cpuResult>[2][number] => ({
    cpu: { main, producer: 0, follower: 0, verifiers: 200_000, threadPool: 0, engine: 0, other: 0 },
    intents: 1_000,
    yardstick: { perSecond: 10_000, cpuMicroseconds: 100, coreShare: 1 },
  });
  const result = cpuResult('here', 0.9, [turn(80_000), turn(90_000), turn(500_000)]);
  assert.equal(result.value, 0.9);
  assert.equal(result.details['verifiers'], 2);
  assert.equal(result.details['highest'], 5);
});
