/** A laboratory that goes on from the state of a network that runs: what it takes from there, and how it is verified, followed and kept. */
import assert from 'node:assert/strict';
import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { documentRequests } from '@netd/testkit/document-requests';
import { HttpNode } from '@netd/testkit/http-node';
import { startPopulated } from '@netd/testkit/populated-node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { tempDir } from '@netd/testkit/temp-dir';
import { verifyUrl } from '@netd/sync';
import { backup, restore } from './index.ts';
import { verifyDataDir } from './verify.ts';

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
    const second = await startFollower(t, [follower.url]);
    await hasReached(second, fork.height);
    assert.equal(second.node.chain.head.stateRoot, fork.state().stateRoot);
    assert.deepEqual((await verifyDataDir(second.node.dataDir.path, {})).fault, null);
  });

  test('is forked in its turn', async (t) => {
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
    // The address is that of a node that is gone: nothing is asked again.
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
