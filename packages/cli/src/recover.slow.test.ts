/** `netd recover`, which a validator's operator needs after restoring a backup. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '@netd/node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { join as register } from '@netd/testkit/forked-chain';
import { startDevnet } from './testing/devnet.ts';
import { done, runHere } from './testing/run-here.ts';

test('a restored chain is brought back from a follower, or goes on by the word of its operator', async (t) => {
  const { home, dataDir, node } = await startDevnet();
  const followers: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const stop of followers.reverse()) await stop();
    rmSync(home, { recursive: true, force: true });
  });
  const follower = await startFollower(
    { after: (stop) => followers.push(stop as () => Promise<void>) },
    [node.url],
  );
  await register(node, 'alice');
  await node.stop();
  const chain = join(dataDir, 'chain');
  cpSync(chain, join(home, 'backup'), { recursive: true });
  const later = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  const more = await startFollower(
    { after: (stop) => followers.push(stop as () => Promise<void>) },
    [later.url],
  );
  await register(later, 'bob');
  const { height } = later.node.chain;
  await hasReached(more, height);
  await later.stop();
  rmSync(chain, { recursive: true });
  cpSync(join(home, 'backup'), chain, { recursive: true });

  const without = await runHere(['recover', '-d', dataDir]);
  assert.deepEqual([without.code, /--from URL/.test(without.stderr)], [2, true]);
  const short = await runHere(['recover', '-d', dataDir, '--from', follower.url]);
  assert.equal(short.code, 1, short.stderr);
  assert.match(short.stderr, /this validator has signed block \d+: none of the nodes/);
  const words = ['recover', '-d', dataDir, '--from', follower.url, '--from', more.url];
  assert.match(await done(words), new RegExp(`has all blocks up to ${height} \\(\\d+ taken back`));
  assert.match(await done(['recover', '-d', dataDir, '--as-is']), /goes on as it is, from block/);
});
