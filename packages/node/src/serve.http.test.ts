/** Log lines of a node for its operator. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { Store, systemClock } from '@netd/engine';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';

test('a block that no try can write is reported once, and again when the reason is another', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  // A node with a given clock makes blocks in this thread.
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

test('rebuilds the lists of another version before it answers, and logs it', async (t) => {
  const dataDir = tempDir(t);
  const before = await HttpNode.start({ dataDir });
  for (const agent of ['alice', 'bob']) await before.join(agent);
  const agents = (await before.get('/v1/agents')).text;
  await before.running.stop();
  const store = Store.open(join(dataDir, 'chain'));
  await store.tables.lists.clearAsync();
  await store.tables.meta.put(
    'derived',
    store.tables.meta.get('derived')?.replace(/"agent":"./, '"agent":"-') ?? '',
  );
  await store.close();

  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const after = await HttpNode.start({ dataDir, logger });
  t.after(() => after.stop());
  assert.equal((await after.get('/v1/agents')).text, agents);
  const logged = lines.map(
    (line) => JSON.parse(line) as { msg: string; percent: number; collections: string[] },
  );
  assert.deepEqual(logged.at(-1)?.msg, 'rebuilt the lists of another version');
  assert.deepEqual([logged.at(-1)?.percent, logged.at(-1)?.collections], [100, ['agent']]);
});
