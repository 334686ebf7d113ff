/** A validator restored from a backup signs nothing before it has all blocks signed since. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { join as register } from '@netd/testkit/forked-chain';
import { freePort } from '@netd/testkit/free-port';
import { tempDir } from '@netd/testkit/temp-dir';
import { recover } from './recover.ts';
import { serve, type RunningNode } from './serve.ts';

/** Long enough that no empty block comes in between. */
const NEVER = 100_000_000;

const start = (dataDir: string, port = 0): Promise<RunningNode> =>
  serve({ host: '127.0.0.1', port, dataDir, blockTime: 1, idleBlockTime: NEVER });

/** A chain that continued after its backup, and a follower with all its blocks. */
async function goneOn(t: TestContext, names: readonly string[]) {
  const [dataDir, backup] = [tempDir(t), tempDir(t)];
  const port = await freePort();
  const before = await start(dataDir, port);
  await register(before, 'alice');
  await before.stop();
  cpSync(dataDir, backup, { recursive: true });
  const after = await start(dataDir, port);
  const follower = await startFollower(t, [after.url]);
  for (const name of names) await register(after, name);
  await hasReached(follower, after.node.chain.height);
  const { head } = after.node.chain;
  await after.stop();
  return { dataDir, backup, port, follower, head };
}

function restoreChain({ dataDir, backup }: { dataDir: string; backup: string }): void {
  for (const name of ['chain', 'checkpoints']) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  cpSync(join(backup, 'chain'), join(dataDir, 'chain'), { recursive: true });
}

test('a restored backup signs nothing, takes the missing blocks from a follower and goes on with it', async (t) => {
  const old = await goneOn(t, ['bob', 'carol']);
  const { dataDir, port, follower, head } = old;
  restoreChain(old);
  await assert.rejects(start(dataDir, port), {
    name: 'DataDirError',
    message: new RegExp(
      `has signed block 3 \\(${head.blockHash}\\).* ends at block 1.*netd recover`,
    ),
  });
  const recovered = await recover({ dataDir, from: [follower.url] });
  assert.deepEqual(recovered, { path: dataDir, from: 1, height: 3, blockHash: head.blockHash });
  const again = await start(dataDir, port);
  t.after(() => again.stop());
  await register(again, 'dave');
  await hasReached(follower, 4);
  assert.equal(follower.node.chain.head.blockHash, again.node.chain.head.blockHash);
  assert.deepEqual([follower.node.status.halted, follower.node.faults()], [false, []]);
});

test(
  'with a chain that is gone altogether, every block comes from the follower',
  inCampaign,
  async (t) => {
    const { dataDir, follower, head } = await goneOn(t, ['bob']);
    rmSync(join(dataDir, 'chain'), { recursive: true });
    await assert.rejects(start(dataDir), /has signed block 2 .* ends at block 0/);
    const { from, blockHash } = await recover({ dataDir, from: [follower.url] });
    assert.deepEqual([from, blockHash], [0, head.blockHash]);
  },
);

test('a copy of the whole data directory is distinguished from the original, and so is one without the file', async (t) => {
  const { dataDir, backup, follower } = await goneOn(t, ['bob']);
  await assert.rejects(start(backup), /last-signed\.json is a copy: .*never sign on two machines/);
  const path = join(dataDir, 'keys', 'last-signed.json');
  const kept = readFileSync(path, 'utf8');
  rmSync(path);
  await assert.rejects(start(dataDir), /last-signed\.json is missing/);
  writeFileSync(path, '');
  await assert.rejects(start(dataDir), /does not say what this validator has signed last/);
  writeFileSync(path, kept.replace(/"genesisHash":"\w+"/, `"genesisHash":"${'ab'.repeat(32)}"`));
  await assert.rejects(start(dataDir), /of another chain \(genesis abab/);
  rmSync(path);
  assert.equal((await recover({ dataDir: backup, from: [follower.url] })).height, 2);
  await (await start(backup)).stop();
});

test('if no node has the blocks, only the word of the operator lets it continue', async (t) => {
  const old = await goneOn(t, ['bob']);
  const { dataDir, follower } = old;
  const other = await start(tempDir(t));
  t.after(() => other.stop());
  const last = await start(dataDir);
  await register(last, 'carol');
  await last.stop();
  restoreChain(old);
  await assert.rejects(recover({ dataDir, from: [other.url] }), /serves another chain/);
  await assert.rejects(recover({ dataDir, from: ['http://127.0.0.1:1'] }), /no node answers/);
  await assert.rejects(
    recover({ dataDir, from: [follower.url] }),
    /the chain is at block 2, and this validator has signed block 3: none .* has more/,
  );
  await assert.rejects(start(dataDir), /has signed block 3/);
  assert.equal((await recover({ dataDir, from: [] })).height, 2);
  await (await start(dataDir)).stop();
});

test('a new chain does not begin with the keys of one whose genesis is gone', async (t) => {
  const { dataDir } = await goneOn(t, []);
  rmSync(join(dataDir, 'genesis.json'));
  await assert.rejects(
    start(dataDir),
    /genesis\.json is missing, and the keys .* are those of a chain/,
  );
  await assert.rejects(recover({ dataDir, from: [] }), /genesis\.json is missing/);
});
