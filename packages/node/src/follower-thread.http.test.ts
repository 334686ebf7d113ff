/** A follower's thread ends with its start or its follower, for any reason. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { NetNode } from './node.ts';
import { Store } from '@netd/engine';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';

/** Ends a test that would otherwise wait forever. */
const LIMIT = { timeout: 120_000 };

let writer: HttpNode;
before(async () => {
  writer = await HttpNode.start();
  await writer.join('alice');
});
after(() => writer.stop());

/** Starts a follower with a key of another chain: no node would accept its heartbeats. */
const REFUSED = `
  import { NetNode } from ${JSON.stringify(new URL('./node.ts', import.meta.url).href)};
  const [dataDir, origin] = process.argv.slice(1);
  const key = { chainId: 'net-other', actorId: 'alice', sessionId: null };
  await NetNode.follow({ dataDir, origins: [origin], presence: { key, declared: {} } }).catch(
    ({ message }) => console.log(message),
  );`;

test(
  'a process whose follower is refused for its key ends by itself, and has written nothing',
  LIMIT,
  async (t) => {
    const dataDir = join(tempDir(t), 'follower');
    const args = ['--input-type=module', '-e', REFUSED, dataDir, writer.running.url];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.match(said, /the key of alice is one of net-other, and this node follows/);
    assert.equal(code, 0);
    assert.ok(!existsSync(dataDir));
  },
);

/** Threads whose end has not been reported here. */
const threads = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

test('a start that the thread refuses is over when the thread is gone', LIMIT, async (t) => {
  const dataDir = tempDir(t);
  const options = { dataDir, origins: [writer.running.url] };
  const follower = await NetNode.follow(options);
  await until(() => follower.chain.height === writer.height);
  await follower.stop();
  const damage = async (): Promise<void> => {
    const store = Store.open(join(dataDir, 'chain'));
    for (const { key, value } of store.tables.treePages.getRange({ limit: 1 })) {
      const damaged = Buffer.from(value);
      damaged.writeUInt8(damaged.readUInt8(5) ^ 1, 5);
      await store.tables.treePages.put(key, damaged);
    }
    await store.close();
  };
  await damage();
  const others = threads();
  await assert.rejects(NetNode.follow(options), { name: 'StoreError', message: /is damaged/ });
  assert.equal(threads(), others);
  // After a correction, the start succeeds in the same process.
  await damage();
  const again = await NetNode.follow(options);
  assert.equal(again.chain.height, writer.height);
  await again.stop();
});

test(
  'a listener that throws ends the follower, which can be stopped all the same',
  LIMIT,
  async (t) => {
    const halts: unknown[] = [];
    const follower = await NetNode.follow({
      dataDir: tempDir(t),
      origins: [writer.running.url],
      onProgress: () => {
        throw new Error('a defect');
      },
      onHalt: (error) => halts.push(error),
    });
    await until(() => halts.length > 0);
    assert.match(String(halts), /^Error: a defect$/);
    assert.equal(follower.ready, false);
    assert.deepEqual(follower.faults(), ['there are no more blocks: a defect']);
    // A second stop waits for the same end.
    let isOver = false;
    const stopped = follower.stop().then(() => (isOver = true));
    await follower.stop();
    assert.ok(isOver);
    await stopped;
  },
);

test('a follower is not ready if its thread ends before there is a node', LIMIT, async (t) => {
  process.once('worker', (thread) => {
    thread.on('message', ({ is }: { is: string }) => {
      if (is === 'open') thread.emit('error', new Error('a defect'));
    });
  });
  const halts: unknown[] = [];
  const follower = await NetNode.follow({
    dataDir: tempDir(t),
    origins: [writer.running.url],
    onHalt: (error) => halts.push(error),
  });
  assert.match(String(halts), /^Error: a defect$/);
  assert.equal(follower.ready, false);
  await follower.stop();
});
