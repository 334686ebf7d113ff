/** What a node tells its operator while it runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '@netd/engine';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';

test('a block that no try can write is reported once, and again when the reason is another', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  // With a clock of its own it makes blocks in this thread.
  const node = await HttpNode.start({ logger, clock: systemClock });
  t.after(() => node.stop());
  const { store } = node.running.node;
  const commitBlocks = store.commitBlocks.bind(store);
  const registerWhile = async (reason: string): Promise<void> => {
    store.commitBlocks = () => Promise.reject(new Error(reason));
    const answer = await node.post('/v1/agents/register', node.registration('alice'));
    assertProblem(answer, 503, 'STORAGE_UNAVAILABLE');
  };
  for (let i = 0; i < 3; i++) await registerWhile('the disk is full');
  for (let i = 0; i < 3; i++) await registerWhile('the disk is gone');
  store.commitBlocks = commitBlocks;
  await node.join('alice');
  const told = lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  assert.deepEqual(told, ['the disk is full', 'the disk is gone']);
});

test('a rule that fails unexpectedly is answered as an internal error, without its reason', async (t) => {
  const logger = pino({ level: 'silent' });
  const node = await HttpNode.start({ logger, clock: systemClock });
  t.after(() => node.stop());
  const { store } = node.running.node;
  const get = store.get.bind(store);
  store.get = () => {
    throw new Error('an invariant');
  };
  const answer = await node.post('/v1/agents/register', node.registration('alice'));
  store.get = get;
  assertProblem(answer, 500, 'INTERNAL_ERROR');
  assert.doesNotMatch(answer.text, /invariant/);
  await node.join('alice');
});
