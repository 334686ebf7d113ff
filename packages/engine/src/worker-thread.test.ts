/** Requests to a thread: answered in order, rejected if it fails, and answered by a new thread afterwards. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { WorkerThread } from './worker-thread.ts';

/** Answers with the message and the number of messages so far. Ends or runs out of memory on demand. */
const PROGRAM = `
  import { parentPort } from 'node:worker_threads';
  let questions = 0;
  parentPort.on('message', (message) => {
    if (message === null) return parentPort.close();
    questions++;
    if (message === 'throw') throw new Error('thrown');
    if (message === 'exit') process.exit(3);
    if (message === 'grow') for (const all = []; ; ) all.push(new Array(10_000).fill(questions));
    parentPort.postMessage([message, questions]);
  });`;

const FILE = `data:text/javascript,${encodeURIComponent(PROGRAM)}`;

function start(): WorkerThread<string, [string, number]> {
  return new WorkerThread(new URL(FILE), () => ({
    name: 'test',
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  }));
}

test('answers come in the order of the questions', async () => {
  const thread = start();
  const answers = ['a', 'b', 'c'].map((message) => thread.ask(message));
  assert.equal(thread.waiting, 3);
  assert.deepEqual(await Promise.all(answers), [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  assert.equal(thread.waiting, 0);
  await thread.close();
});

for (const [how, expected] of [
  ['throw', /thrown/],
  ['exit', /the thread test has ended/],
  ['grow', /memory limit/],
] as const) {
  test(`rejects the pending requests of a thread if it fails: ${how}`, async () => {
    const thread = start();
    assert.deepEqual(await thread.ask('before'), ['before', 1]);
    const failing = thread.ask(how);
    const behind = thread.ask('behind');
    await Promise.all([assert.rejects(failing, expected), assert.rejects(behind, expected)]);
    assert.equal(thread.waiting, 0);
    assert.deepEqual(await thread.ask('again'), ['again', 1]);
    const last = thread.ask('last');
    await thread.close();
    assert.deepEqual(await last, ['last', 2]);
  });
}

test('a message that cannot be sent is refused alone', async () => {
  const thread = start();
  const unsendable = (() => {}) as unknown as string;
  await assert.rejects(thread.ask(unsendable), { name: 'DataCloneError' });
  assert.deepEqual(await thread.ask('next'), ['next', 1]);
  await thread.close();
});

test('closing a busy thread settles in a process that waits for nothing else', () => {
  const program = `
    import { WorkerThread } from ${JSON.stringify(new URL('worker-thread.ts', import.meta.url).href)};
    const thread = new WorkerThread(new URL(${JSON.stringify(FILE)}), () => ({ name: 'test' }));
    await thread.ask('first');
    thread.ask('in flight');
    await thread.close();
    process.stdout.write('closed');`;
  const args = ['--input-type=module', '-e', program];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: 'closed' });
});

test('closing a thread that fails meanwhile settles', async () => {
  const thread = start();
  const failing = thread.ask('throw');
  await Promise.all([assert.rejects(failing, /thrown/), thread.close()]);
});
