/** Backups of a running node, also after failures, and a follower that takes the node's place. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inCampaign } from '@netd/protocol/testing';
import { sha256Hex } from '@netd/protocol';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { join as register } from '@netd/testkit/forked-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { verifyDatabase } from '@netd/engine';
import { promote } from '../promote.ts';
import { recover } from '../recover.ts';
import { serve, type RunningNode } from '../serve.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

/** Long enough that no empty block comes in between. */
const NEVER = 100_000_000;

const start = (dataDir: string): Promise<RunningNode> =>
  serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1, idleBlockTime: NEVER });

async function running(t: TestContext, names: readonly string[]): Promise<RunningNode> {
  const node = await start(tempDir(t));
  t.after(() => node.stop());
  for (const name of names) await register(node, name);
  return node;
}

const names = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => !/^(?:node\.|\.netd-folder)/.test(name))
    .sort();

test('refuses a backup that would be lost or would remove other files', async (t) => {
  const node = await running(t, ['alice']);
  const dataDir = node.node.dataDir.path;
  const to = tempDir(t);
  await assert.rejects(backup({ dataDir: to, to: tempDir(t) }), /there is no chain in/);
  const link = join(tempDir(t), 'link');
  symlinkSync(dataDir, link);
  for (const inside of [dataDir, join(dataDir, 'backup'), join(link, 'backup')]) {
    await assert.rejects(backup({ dataDir, to: inside }), /lies in the data directory itself/);
  }
  writeFileSync(join(to, 'thesis.txt'), 'mine');
  writeFileSync(join(to, 'database-1'), 'mine');
  await assert.rejects(backup({ dataDir, to }), /is not a backup of netd.*database-1/);
  assert.deepEqual(names(to), ['database-1', 'thesis.txt']);
  rmSync(join(to, 'database-1'));
  const file = join(to, 'thesis.txt');
  await assert.rejects(backup({ dataDir, to: file }), /ENOTDIR|lies below a file|is a file/);
});

test('a backup of a running node: the database, then the blocks since, and both come back', async (t) => {
  const node = await running(t, ['alice']);
  const dataDir = node.node.dataDir.path;
  const to = tempDir(t);
  const first = await backup({ dataDir, to });
  assert.deepEqual([first.kind, first.from, first.height], ['full', null, 1]);
  assert.equal((await backup({ dataDir, to })).kind, 'nothing new');
  for (const name of ['bob', 'carol']) await register(node, name);
  const second = await backup({ dataDir, to });
  assert.deepEqual([second.kind, second.from, second.height], ['blocks', 1, 3]);
  await register(node, 'dave');
  await backup({ dataDir, to });
  assert.deepEqual(names(to), [
    'backup.json',
    'blocks-2-3.jsonl.gz',
    'blocks-4-4.jsonl.gz',
    'database-1',
    'genesis.json',
  ]);
  const { head } = node.node.chain;
  const restored = await restore({ from: to, dataDir: tempDir(t) });
  assert.deepEqual(
    [restored.height, restored.blockHash, restored.executed, restored.follower],
    [4, head.blockHash, 3, false],
  );
  const report = await verifyDatabase(join(restored.path, 'chain'), {});
  assert.deepEqual([report.fault, report.height], [null, 4]);
  assert.ok(!existsSync(join(restored.path, 'keys')), 'no keys are in a backup');
  assert.equal((await backup({ dataDir, to, full: true })).kind, 'full');
  assert.deepEqual(names(to), ['backup.json', 'database-4', 'genesis.json']);
  // A repeat at the same height: the old backup stays valid until the new one is complete.
  assert.equal((await backup({ dataDir, to, full: true })).kind, 'full');
  assert.equal((await restore({ from: to, dataDir: tempDir(t) })).height, 4);
});

test('whatever ends a backup half-way, the one before it is whole', async (t) => {
  const node = await running(t, ['alice']);
  const dataDir = node.node.dataDir.path;
  const to = tempDir(t);
  await backup({ dataDir, to });
  await register(node, 'bob');
  for (const [part, full] of [
    ['blocks', false],
    ['manifest', false],
    ['database', true],
    ['manifest', true],
  ] as const) {
    const reach = (reached: string): void => {
      if (reached === part) throw new Error('the disk is gone');
    };
    await assert.rejects(backup({ dataDir, to, full, reach }), /the disk is gone/);
    assert.deepEqual(names(to), ['backup.json', 'database-1', 'genesis.json']);
    assert.equal((await restore({ from: to, dataDir: tempDir(t) })).height, 1);
  }
  assert.equal((await backup({ dataDir, to })).height, 2);
});

test('a damaged backup, another chain, an older copy and another history are distinguished', async (t) => {
  const node = await running(t, ['alice']);
  const dataDir = node.node.dataDir.path;
  const [to, older] = [tempDir(t), tempDir(t)];
  await node.stop();
  cpSync(dataDir, older, { recursive: true });
  const again = await start(dataDir);
  t.after(() => again.stop());
  await register(again, 'bob');
  await backup({ dataDir, to });
  await register(again, 'carol');
  await backup({ dataDir, to });
  const other = await running(t, []);
  await assert.rejects(
    backup({ dataDir: other.node.dataDir.path, to }),
    /holds a backup of .* and .* another chain/,
  );
  await assert.rejects(backup({ dataDir: older, to }), /at block 1 already: it is an older/);
  await recover({ dataDir: older, from: [] });
  const twin = await start(older);
  t.after(() => twin.stop());
  for (const name of ['mallory', 'trudy']) await register(twin, name);
  await assert.rejects(backup({ dataDir: older, to }), /two histories of one chain/);
  await assert.rejects(restore({ from: older, dataDir: tempDir(t) }), /there is no backup in/);
  await assert.rejects(restore({ from: to, dataDir: older }), /is running on/);
  const file = join(to, 'blocks-3-3.jsonl.gz');
  const kept = readFileSync(file);
  appendFileSync(file, 'x');
  const target = tempDir(t);
  await assert.rejects(restore({ from: to, dataDir: target }), /damaged \(blocks-3-3\.jsonl\.gz/);
  await assert.rejects(backup({ dataDir, to }), /is damaged/);
  rmSync(file);
  await assert.rejects(restore({ from: to, dataDir: target }), /blocks-3-3\.jsonl\.gz is missing/);
  writeFileSync(file, kept);
  const manifest = readFileSync(join(to, 'backup.json'), 'utf8');
  // 100 MB in a file of 100 kB, with the right hash.
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  writeFileSync(file, bomb);
  const bombed = JSON.parse(manifest) as { blocks: { bytes: number; sha256: string }[] };
  for (const of of bombed.blocks)
    Object.assign(of, { bytes: bomb.length, sha256: sha256Hex(bomb) });
  writeFileSync(join(to, 'backup.json'), JSON.stringify(bombed));
  await assert.rejects(
    restore({ from: to, dataDir: target }),
    /longer than any block.*use another/,
  );
  writeFileSync(file, kept);
  writeFileSync(join(to, 'backup.json'), manifest.replace('genesis.json', '../genesis.json'));
  await assert.rejects(restore({ from: to, dataDir: target }), /not as netd backup wrote it/);
  writeFileSync(join(to, 'backup.json'), manifest);
  mkdirSync(join(target, 'checkpoints'));
  await assert.rejects(
    restore({ from: to, dataDir: target }),
    /write over or delete \(checkpoints/,
  );
  rmSync(join(target, 'checkpoints'), { recursive: true });
  writeFileSync(join(target, 'thesis.txt'), 'mine');
  assert.equal((await restore({ from: to, dataDir: target })).height, 3);
});

test('a restored validator signs nothing below what it has signed, and goes on from there', async (t) => {
  const node = await running(t, ['alice']);
  const dataDir = node.node.dataDir.path;
  const to = tempDir(t);
  await backup({ dataDir, to });
  const copy = await startFollower(t, [node.url]);
  await register(node, 'bob');
  await hasReached(copy, 2);
  await node.stop();
  for (const name of readdirSync(dataDir)) {
    if (name !== 'keys') rmSync(join(dataDir, name), { recursive: true });
  }
  const restored = await restore({ from: to, dataDir });
  assert.deepEqual([restored.height, restored.lastSigned], [1, 2]);
  await assert.rejects(start(dataDir), /has signed block 2 .* ends at block 1/);
  await recover({ dataDir, from: [copy.url] });
  await (await start(dataDir)).stop();
});

test('a follower takes the place of the writer, which never signs again', async (t) => {
  const [oldDir, copyDir] = [tempDir(t), tempDir(t)];
  const writer = await start(oldDir);
  t.after(() => writer.stop());
  const copy = await startFollower(t, [writer.url], { dataDir: copyDir });
  const witness = await startFollower(t, [writer.url, copy.url]);
  await register(writer, 'alice');
  await hasReached(copy, 1);
  const keys = join(oldDir, 'keys');
  await assert.rejects(promote({ dataDir: copyDir, keys }), /is running on/);
  await copy.stop();
  await assert.rejects(promote({ dataDir: copyDir, keys }), /the old writer still runs/);
  await assert.rejects(promote({ dataDir: oldDir, keys }), /is not of a follower/);
  const elsewhere = join(tempDir(t), 'keys');
  cpSync(keys, elsewhere, { recursive: true });
  const word = { dataDir: copyDir, keys: elsewhere, oldWriterIsGone: true };
  await assert.rejects(promote(word), /answers and makes blocks: stop the old writer/);
  await register(writer, 'bob');
  await hasReached(witness, 2);
  await writer.stop();
  await assert.rejects(
    promote({ dataDir: copyDir, keys }),
    /has signed block 2 .* the follower ends at block 1/,
  );
  // The copy fetches the missing block from the witness.
  const behind = await startFollower(t, [witness.url], { dataDir: copyDir });
  await hasReached(behind, 2);
  await behind.stop();
  await assert.rejects(
    promote({ dataDir: copyDir, keys: elsewhere }),
    /is a copy, so nothing here/,
  );
  rmSync(join(elsewhere, 'validator.json'));
  await assert.rejects(
    promote({ dataDir: copyDir, keys: elsewhere }),
    /validator\.json is missing/,
  );

  const promoted = await promote({ dataDir: copyDir, keys });
  assert.deepEqual([promoted.height, promoted.validatorId], [2, 'validator-1']);
  await assert.rejects(start(oldDir), /a follower has taken the place of the writer/);
  await assert.rejects(recover({ dataDir: oldDir, from: [] }), /a follower has taken the place/);
  await assert.rejects(promote({ dataDir: copyDir, keys }), /is not of a follower/);
  const next = await start(copyDir);
  t.after(() => next.stop());
  await register(next, 'carol');
  const late = await startFollower(t, [next.url, witness.url]);
  await hasReached(late, 3);
  assert.deepEqual(
    [late.node.status.halted, late.node.chain.head.blockHash],
    [false, next.node.chain.head.blockHash],
  );
});

test(
  'a promotion that was killed is made again, and the backup of a follower is one',
  inCampaign,
  async (t) => {
    const [oldDir, copyDir, to] = [tempDir(t), tempDir(t), tempDir(t)];
    const writer = await start(oldDir);
    const copy = await startFollower(t, [writer.url], { dataDir: copyDir });
    await register(writer, 'alice');
    await hasReached(copy, 1);
    await writer.stop();
    await backup({ dataDir: copyDir, to });
    await copy.stop();
    const target = tempDir(t);
    assert.equal((await restore({ from: to, dataDir: target })).follower, true);
    const keys = join(oldDir, 'keys');
    mkdirSync(join(copyDir, 'keys'), { recursive: true });
    writeFileSync(join(copyDir, 'keys', 'operator.json'), '{}');
    await assert.rejects(promote({ dataDir: copyDir, keys }), /is there and is another key/);
    assert.ok(existsSync(join(keys, 'last-signed.json')), 'nothing has changed');
    rmSync(join(copyDir, 'keys'), { recursive: true });
    // The state after the old writer was disabled, before any other step.
    renameSync(join(keys, 'last-signed.json'), join(keys, 'last-signed.retired.json'));
    assert.equal((await promote({ dataDir: target, keys })).height, 1);
    await (await start(target)).stop();
  },
);
