import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { awaitLeaving, makeGate, shutGate, throughGate } from './database-gate.ts';

test('work goes through an open gate, also after some that failed, and not through a shut one', () => {
  const gate = makeGate();
  assert.equal(
    throughGate(gate, () => 1),
    1,
  );
  assert.throws(
    () =>
      throughGate(gate, () => {
        throw new Error('failed');
      }),
    /failed/,
  );
  assert.equal(
    throughGate(gate, () => 2),
    2,
  );
  assert.equal(shutGate(gate), true);
  assert.equal(shutGate(gate), true);
  assert.equal(
    throughGate(gate, () => assert.fail('the gate is shut')),
    undefined,
  );
});

/** Stays behind the gate until it is released, and records its progress in `steps`. */
const PROGRAM = `
  import { workerData } from 'node:worker_threads';
  import { throughGate } from ${JSON.stringify(new URL('database-gate.ts', import.meta.url).href)};
  const { gate, steps } = workerData;
  throughGate(gate, () => {
    Atomics.store(steps, 0, 1);
    Atomics.notify(steps, 0);
    // The thread that shuts the gate reports nothing more, so wait this long.
    Atomics.wait(steps, 0, 1, 300);
    Atomics.store(steps, 0, 2);
  });
  throughGate(gate, () => Atomics.store(steps, 0, 3));`;

test('shutting the gate waits for the thread behind it, which cannot enter again', async () => {
  const gate = makeGate();
  const steps = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {
    workerData: { gate, steps },
  });
  const ended = once(worker, 'exit');
  while (Atomics.load(steps, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(shutGate(gate), false);
  awaitLeaving(gate);
  assert.equal(Atomics.load(steps, 0), 2);
  assert.equal(shutGate(gate), true);
  await ended;
  assert.equal(Atomics.load(steps, 0), 2);
});
