/** A laboratory forked from a running network: what it inherits, and how it is verified, followed and kept. */
import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { documentRequests } from '@netd/testkit/document-requests';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { startPopulated } from '@netd/testkit/populated-node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Receipt } from '@netd/protocol';
import { verifyUrl } from '@netd/sync';
import { backup, restore } from './index.ts';
import { replayDataDir, traceDataDir, traceReport, verifyDataDir } from './verify.ts';

describe('a fork of a network', () => {
  let origin: HttpNode;
  let fork: HttpNode;

  before(async () => {
    origin = await startPopulated(10_000);
    fork = await HttpNode.start({
      chainId: 'net-fork',
      laboratory: true,
      forkFrom: { url: origin.url },
    });
  });
  after(async () => {
    await fork.stop();
    await origin.stop();
  });

  test('answers every document about agents, work and money as its origin does', async () => {
    for (const { document, parameters } of documentRequests()) {
      const path = pathOf(document.route, parameters);
      const answer = await fork.get(path);
      const there = await origin.get(path);
      assert.equal(answer.status, there.status, `${path}: ${answer.text.slice(0, 300)}`);
    }
    const account = '/v1/accounts/alice';
    const [here, there] = [await fork.document(account), await origin.document(account)];
    assert.equal(typeof here['balance'], 'number');
    assert.equal(here['balance'], there['balance']);
  });

  test('is verified from the state that it began with, in its directory and from elsewhere', async () => {
    const here = await verifyDataDir(fork.dataDir, {});
    assert.deepEqual(here.fault, null);
    assert.equal(here.height, fork.height);
    assert.equal(here.fork?.chainId, origin.chainId);
    const told = await verifyUrl(fork.url, {});
    assert.deepEqual(told.fault, null);
    assert.equal(told.blockHash, here.blockHash);
  });

  test('is followed from its first block on, and the follower can be followed', async (t) => {
    const follower = await startFollower(t, [fork.url], { from: 'checkpoint' });
    await hasReached(follower, fork.height);
    assert.equal(follower.node.chain.head.stateRoot, fork.state().stateRoot);
    // A reader of the laboratory may be ahead of the follower, which then catches up.
    const ahead = `/v1/events?after=${fork.height + 100}.0&blockHash=${'ab'.repeat(32)}`;
    assert.equal((await fetch(follower.url + ahead)).status, 200);
    assert.equal((await fetch(fork.url + ahead)).status, 409);
    const second = await startFollower(t, [follower.url]);
    await hasReached(second, fork.height);
    assert.equal(second.node.chain.head.stateRoot, fork.state().stateRoot);
    assert.deepEqual((await verifyDataDir(second.node.dataDir.path, {})).fault, null);
  });

  test('tells what its transitions did, executed again from the state that it began with', async (t) => {
    const { actorId } = fork.running.node.dataDir.operator;
    await fork.join('tracy', { nonce: 'tracy' });
    const earlier = Number((await fork.document('/v1/accounts/alice'))['balance']);
    // The nonces of this node's counter are spent on the origin.
    const pay = { to: 'alice', amount: 7 };
    const sent = fork.intent(actorId, 'transfer', pay, { nonce: 'traced' });
    const paid = (await fork.post('/v1/intents', sent)).body['receipt'] as unknown as Receipt;
    const path = `/v1/lab/trace?transition=${paid.transitionHash}`;
    const { status, body, text } = await fork.get(path);
    assert.equal(status, 200, text);
    const { writes } = body['trace'] as {
      writes: { key: string; before: object; after: object }[];
    };
    const account = writes.find(({ key }) => key === 'account/alice');
    assert.deepEqual(
      [account?.before, account?.after].map((record) => (record as { balance: number }).balance),
      [earlier, earlier + 7],
    );
    // Timers that were pending on the origin run on the fork, and are reported too.
    await fork.post('/v1/lab/time', { seconds: 86_400, blocks: 120 });
    const { events } = await fork.document(`/v1/events?after=${paid.height}.0&limit=500`);
    const due = (events as { id: string; type: string }[]).map(({ id }) =>
      Number(id.split('.')[0]),
    );
    assert.ok(due.length > 0, `${due.length} events`);
    const transitionHash = await firstIn(fork, due.at(-1));
    const told = await fork.get(`/v1/lab/trace?transition=${transitionHash}`);
    assert.equal(told.status, 200, told.text);

    const traced = await traceDataDir(fork.dataDir, transitionHash);
    assert.deepEqual(traceReport(traced.trace), told.body['trace']);
    const follower = await startFollower(t, [fork.url], { from: 'checkpoint' });
    await hasReached(follower, fork.height);
    const there = await traceDataDir(follower.node.dataDir.path, transitionHash);
    assert.deepEqual(traceReport(there.trace), told.body['trace']);

    const act = { actorId, action: 'transfer', payload: { to: 'alice', amount: 1 } };
    const first = fork.running.node.dataDir.genesis.fork?.height ?? 0;
    const tried = await replayDataDir(fork.dataDir, { ...act, at: first + 1 });
    assert.ok(tried.outcome.ok);
    await assert.rejects(
      replayDataDir(fork.dataDir, { ...act, at: first }),
      /begins at height \d+: what was at height \d+ is in the chain of which it is a fork/,
    );
    const older = await firstIn(origin, 1);
    assertProblem(await fork.get(`/v1/lab/trace?transition=${older}`), 404, 'TRANSITION_NOT_FOUND');
  });

  test(
    'whose state is damaged says so to who asks for a trace, and traces when it has been put back',
    inCampaign,
    async (t) => {
      const options = { chainId: 'net-fork-4', laboratory: true, forkFrom: { url: origin.url } };
      const node = await HttpNode.start(options);
      t.after(() => node.stop());
      const { transitionHash } = await node.join('trudy', { nonce: 'trudy' });
      const point = join(node.dataDir, 'fork-point');
      const path = `/v1/lab/trace?transition=${transitionHash}`;
      renameSync(join(point, 'chunk-0'), join(point, 'away'));
      assertProblem(await node.get(path), 503, 'LAB_FORK_STATE_LOST');
      await assert.rejects(traceDataDir(node.dataDir, transitionHash), /chunk 0 .* cannot be read/);
      cpSync(join(point, 'away'), join(point, 'chunk-0'));
      truncateSync(join(point, 'chunk-0'), 5);
      await assert.rejects(
        traceDataDir(node.dataDir, transitionHash),
        /chunk 0 .* is not what was/,
      );
      renameSync(join(point, 'away'), join(point, 'chunk-0'));
      assert.equal((await node.get(path)).status, 200);
      renameSync(point, `${point}-away`);
      await assert.rejects(traceDataDir(node.dataDir, transitionHash), /it forked is missing/);
      renameSync(`${point}-away`, point);
    },
  );

  test('is forked in its turn', inCampaign, async (t) => {
    const { height } = fork;
    const inner = await HttpNode.start({
      chainId: 'net-fork-2',
      laboratory: true,
      forkFrom: { url: fork.url, at: height },
    });
    t.after(() => inner.stop());
    assert.equal(inner.height, height + 1);
    const account = '/v1/accounts/alice';
    const [here, there] = [await inner.document(account), await fork.document(account)];
    assert.equal(typeof here['balance'], 'number');
    assert.equal(here['balance'], there['balance']);
  });

  test('is backed up with that state, restored, and goes on without its origin', async (t) => {
    const root = tempDir(t);
    const [dataDir, to, back] = [join(root, 'a'), join(root, 'b'), join(root, 'c')];
    const options = { chainId: 'net-fork-3', laboratory: true, forkFrom: { url: origin.url } };
    const node = await HttpNode.start({ ...options, dataDir });
    await node.join('yara', { nonce: 'yara' });
    const { url } = node;
    await backup({ dataDir, to });
    const { height } = node;
    cpSync(join(dataDir, 'keys'), join(back, 'keys'), { recursive: true });
    await node.stop();
    await restore({ from: to, dataDir: back });
    assert.deepEqual((await verifyDataDir(back, {})).fault, null);
    // The origin at this address is gone, so any request would fail.
    const again = await HttpNode.start({ ...options, forkFrom: { url }, dataDir: back });
    assert.ok(again.height >= height);
    await again.join('yann', { nonce: 'yann' });
    const damaged = join(back, 'fork-point', 'chunk-0');
    truncateSync(damaged, 5);
    const { fault } = await verifyDataDir(back, {});
    assert.match(fault?.reason ?? '', /fork-point|chunk 0/);
    rmSync(damaged);
    assert.match((await verifyDataDir(back, {})).fault?.reason ?? '', /chunk 0/);
    await again.stop();
  });
});

async function firstIn(node: HttpNode, height: number | undefined): Promise<string> {
  const { transitions } = await node.document(`/v1/blocks/${height}`);
  const [transition] = transitions as { transitionHash: string }[];
  assert.ok(transition, `a transition in block ${height}`);
  return transition.transitionHash;
}

function pathOf(template: string, parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`:${name}`))
      path = path.replace(`:${name}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
