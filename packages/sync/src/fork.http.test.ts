/** A follower whose validators have certified two histories: it halts and publishes the evidence. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blockHash, verifyCertificate, type JsonObject } from '@netd/protocol';
import { inCampaign, until } from '@netd/protocol/testing';
import { systemClock } from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import { startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { join as register, startFork } from '@netd/testkit/forked-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { keepEvidence } from './fork.ts';

/** Only an origin that hangs takes a minute. */
const follow: typeof startFollower = (t, origins, options) =>
  startFollower(t, origins, { originTimeout: 60_000, ...options });

async function documentOf<Document = JsonObject>(
  follower: RunningFollower,
  path: string,
): Promise<Document> {
  const response = await fetch(follower.url + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Document;
}

interface TrustReport {
  fork: { height: number; ours: { blockHash: string }; theirs: { blockHash: string } } | null;
  summary: { integrity: boolean; failed: string[] };
  links: Record<string, string>;
  reportHash: string;
}

const trustOf = (follower: RunningFollower): Promise<TrustReport> =>
  documentOf(follower, '/v1/agent-trust');

test('halts if the validator certified two histories, and shows both headers', async (t) => {
  const { writer, twin, height } = await startFork(t);
  const told: ForkEvidence[] = [];
  const dataDir = tempDir(t);
  const late = await TamperingProxy.before(twin.url);
  t.after(() => late.close());
  late.tamper = () => null;
  const follower = await follow(t, [writer.url, late.url], {
    dataDir,
    onFork: (evidence) => told.push(evidence),
  });
  await until(() => follower.node.chain.height === writer.node.chain.height);
  const end = follower.node.chain.head;
  // Fills the caches, which must not hide the fork later.
  const before = await trustOf(follower);
  assert.deepEqual([before.fork, before.summary.integrity], [null, true]);
  assert.equal((await documentOf(follower, '/v1/fork-evidence'))['fork'], null);
  assert.notEqual((await documentOf(follower, '/health'))['status'], 'halted');

  late.tamper = (_path, document) => document;
  await until(() => told.length > 0);
  assert.equal(follower.node.chain.head.blockHash, end.blockHash);
  const kept = JSON.parse(readFileSync(join(dataDir, 'fork.json'), 'utf8')) as ForkEvidence;
  assert.deepEqual([kept], told);
  assert.equal(kept.height, height);
  const validatorSet = follower.node.chain.validatorSetAt(0);
  const hashes = [kept.ours, kept.theirs].map((side) => {
    assert.ok(side);
    const hash = blockHash(side.header);
    assert.equal(side.certificate.blockHash, hash);
    const anchor = validatorSet.validatorSetHash;
    assert.ok(verifyCertificate(side.certificate, validatorSet, anchor).ok);
    return hash;
  });
  assert.notEqual(hashes[0], hashes[1]);
  await showsIt(follower, kept);
  const after = await trustOf(follower);
  assert.notEqual(after.reportHash, before.reportHash);
  assert.deepEqual(after.summary, { ...after.summary, integrity: false });
  // The follower stays halted, and keeps answering.
  await follower.stop();
  await register(writer, 'carol');
  const later = await follow(t, [], { dataDir });
  await showsIt(later, kept);
  await documentOf(later, '/v1/agents/bob');
  assert.equal(later.node.chain.height, end.height);
  await later.stop();
  // An operator who has chosen a history removes the file.
  rmSync(join(dataDir, 'fork.json'));
  const decided = await follow(t, [writer.url], { dataDir });
  await until(() => decided.node.chain.height === writer.node.chain.height);
  assert.equal((await trustOf(decided)).fork, null);
  await decided.stop();
  writeFileSync(join(dataDir, 'fork.json'), '{}');
  await assert.rejects(follow(t, [], { dataDir }), /fork\.json is not as a follower wrote it/);
});

async function showsIt(follower: RunningFollower, kept: ForkEvidence): Promise<void> {
  assert.match(follower.node.faults().join(), /contradict themselves at height/);
  assert.equal((await documentOf(follower, '/health'))['status'], 'halted');
  const { fork, summary, links } = await trustOf(follower);
  assert.deepEqual(
    [fork?.height, fork?.ours.blockHash, fork?.theirs.blockHash],
    [kept.height, kept.ours?.certificate.blockHash, kept.theirs.certificate.blockHash],
  );
  assert.ok(summary.failed.includes('one-history'));
  assert.deepEqual((await documentOf(follower, String(links['fork'])))['fork'], kept);
}

test(
  'a follower that finds a fork while its disk is full halts, and keeps the evidence once there is room',
  inCampaign,
  async (t) => {
    const { writer, twin } = await startFork(t);
    const dataDir = tempDir(t);
    const told: ForkEvidence[] = [];
    const failures: number[] = [];
    const late = await TamperingProxy.before(twin.url);
    t.after(() => late.close());
    late.tamper = () => null;
    const follower = await follow(t, [writer.url, late.url], {
      dataDir,
      // Keeps the database in this thread, so that the test can make it fail.
      clock: systemClock,
      onFork: (evidence) => told.push(evidence),
      onBlockFailure: (_error, height) => failures.push(height),
    });
    await until(() => follower.node.chain.height === writer.node.chain.height);
    // The database fails, as if the disk were full.
    const { store } = follower.node;
    const keepFork = store.keepFork.bind(store);
    store.keepFork = () => Promise.reject(new Error('ENOSPC'));
    late.tamper = (_path, document) => document;
    await until(() => failures.length > 0);
    assert.match(follower.node.faults().join(), /contradict themselves .* cannot be written yet/);
    const { height } = follower.node.chain;
    await register(writer, 'dora');
    assert.deepEqual([told, follower.node.chain.height], [[], height]);
    store.keepFork = keepFork;
    await until(() => told.length > 0);
    assert.equal((await documentOf(follower, '/health'))['status'], 'halted');
    assert.ok(existsSync(join(dataDir, 'fork.json')));
    // The first evidence stays.
    const [first] = told;
    assert.ok(first);
    await keepEvidence(join(dataDir, 'fork.json'), { ...first, reason: 'another' }, store);
    assert.deepEqual((await documentOf(follower, '/v1/fork-evidence'))['fork'], first);
  },
);

test('takes a certified header behind a checkpoint as evidence, even if its origin lies otherwise', async (t) => {
  const { writer, twin, height } = await startFork(t);
  // More blocks than a follower fetches with a checkpoint.
  for (let i = 0; i < 20; i++) await register(writer, `agent-${i}`);
  const origin = await TamperingProxy.before(writer.url);
  t.after(() => origin.close());
  const other = await fetch(`${twin.url}/v1/blocks/${height}`);
  const theirs = (await other.json()) as { header: unknown };
  const told: ForkEvidence[] = [];
  const banned: string[] = [];
  await follow(t, [origin.url], {
    from: 'checkpoint',
    onRestore: ({ phase }) => {
      if (phase !== 'done') return;
      origin.tamper = (path, document) =>
        path === `/v1/blocks/${height}` ? { ...theirs, transitions: [], events: [] } : document;
    },
    onFork: (evidence) => told.push(evidence),
    onBan: (url, reason) => banned.push(`${url} ${reason}`),
  });
  await until(() => told.length + banned.length > 0);
  assert.deepEqual(banned, []);
  assert.deepEqual([told[0]?.height, told[0]?.theirs.header], [height, theirs.header]);
});
