/** Facts that a follower knows of its chain before the first block: its genesis and its origins. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { genesisValidatorSet } from '@netd/ledger';
import { genesisHash } from '@netd/protocol';
import { replaceFile } from '@netd/engine';
import { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';
import { openFollowerDir, type FollowerDir, type FollowerDirOptions } from './follower-dir.ts';

describe('anchors', () => {
  let one: HttpNode;
  let other: HttpNode;
  before(async () => {
    [one, other] = await Promise.all([HttpNode.start(), HttpNode.start({ blockTime: 7 })]);
    await Promise.all([one.join('alice'), other.join('alice')]);
  });
  after(() => Promise.all([one.stop(), other.stop()]));

  const blockOf = (node: HttpNode): { height: number; blockHash: string } => {
    const { height, blockHash } = node.running.node.chain.head;
    return { height, blockHash };
  };
  const validatorsOf = (node: HttpNode): string =>
    genesisValidatorSet(node.running.node.dataDir.genesis).validatorSetHash;
  const hashOf = (node: HttpNode): string => genesisHash(node.running.node.dataDir.genesis);
  const anchors: [string, (node: HttpNode) => Omit<FollowerDirOptions, 'origins'>][] = [
    ['a genesis hash', (node) => ({ genesisHash: hashOf(node) })],
    ['a block', (node) => ({ trustedBlock: blockOf(node) })],
    ['a validator set', (node) => ({ validatorSetHash: validatorsOf(node) })],
  ];
  for (const [name, anchorOf] of anchors) {
    test(`${name} tells one chain from another, and is remembered`, async (t) => {
      const dataDir = tempDir(t);
      const origins = [one.url, other.url];
      const open = (options: FollowerDirOptions): Promise<FollowerDir> =>
        openFollowerDir(dataDir, options);
      await assert.rejects(open({ origins }), /serve different chains/);
      await assert.rejects(open({ origins: [one.url], ...anchorOf(other) }), {
        name: 'FollowError',
        message:
          /no origin serves the chain you trust \(http\S+ serves a chain (with|whose block \d+ is)/,
      });
      assert.equal(existsSync(join(dataDir, 'follow.json')), false);
      const follower = await open({ origins, ...anchorOf(other) });
      assert.equal(genesisHash(follower.genesis), hashOf(other));
      assert.equal(follower.anchored, true);
      assert.deepEqual(follower.blockTimes, { blockTime: 7, idleBlockTime: 100_000_000 });
      const again = await open({ origins: [] });
      assert.deepEqual(again, follower);
    });
  }

  test('a block that no origin has yet cannot be relied on', async (t) => {
    const trustedBlock = { height: 1_000, blockHash: 'ab'.repeat(32) };
    await assert.rejects(
      openFollowerDir(tempDir(t), { origins: [one.url], trustedBlock }),
      /no origin serves the chain you trust \(http\S+ serves a chain that has no block 1000 yet\): check/,
    );
  });

  test('without one the follower is consistent with itself, and may be given one later', async (t) => {
    const dataDir = tempDir(t);
    const follower = await openFollowerDir(dataDir, { origins: [one.url] });
    assert.equal(follower.anchored, false);
    await assert.rejects(
      openFollowerDir(dataDir, { origins: [], validatorSetHash: validatorsOf(other) }),
      /follows a chain with the validator set .*, not the one you trust/,
    );
    assert.equal((await openFollowerDir(dataDir, { origins: [] })).anchored, false);
    const later = await openFollowerDir(dataDir, { origins: [], genesisHash: hashOf(one) });
    assert.equal(later.anchored, true);
  });

  test('the follower of one chain does not begin to follow another one, and keeps its origins', async (t) => {
    const dataDir = tempDir(t);
    await openFollowerDir(dataDir, { origins: [one.url] });
    await assert.rejects(
      openFollowerDir(dataDir, { origins: [one.url, other.url] }),
      /follows the chain with genesis hash .*, and http.* serves another one, .*: choose another --data-dir/,
    );
    assert.deepEqual((await openFollowerDir(dataDir, { origins: [] })).origins, [one.url]);
    // An origin that does not answer may come back.
    const away = 'http://127.0.0.1:1';
    assert.deepEqual((await openFollowerDir(dataDir, { origins: [away] })).origins, [away]);
    // An origin with a genesis that cannot be hashed does not end the start, either.
    const broken = await TamperingProxy.before(one.url);
    t.after(() => broken.close());
    broken.tamper = () => ({ chainId: '\ud800' });
    const named = [broken.url, one.url];
    assert.deepEqual((await openFollowerDir(dataDir, { origins: named })).origins, named);
  });

  test('what followers of before have written down is understood', async (t) => {
    const dataDir = tempDir(t);
    await openFollowerDir(dataDir, { origins: [one.url] });
    const facts = join(dataDir, 'follow.json');
    const earlier = { schema: 'NET-FOLLOWER/1', origins: [one.url], genesisHash: hashOf(one) };
    writeFileSync(facts, JSON.stringify({ ...earlier, anchored: true }));
    const follower = await openFollowerDir(dataDir, { origins: [] });
    assert.deepEqual(follower.anchor, { genesisHash: hashOf(one) });
    assert.deepEqual(follower.blockTimes, { blockTime: 0, idleBlockTime: 0 });
  });
});

test('a file that is replaced is there at every moment, whole', async (t) => {
  const path = join(tempDir(t), 'follow.json');
  const texts = ['one', 'two'].map((text) => text.repeat(2_000));
  replaceFile(path, String(texts[0]), 0o644);
  const looker = new Worker(
    `const { readFileSync } = require('node:fs');
     const { parentPort, workerData } = require('node:worker_threads');
     parentPort.postMessage('looks');
     parentPort.on('message', () => process.exit(0));
     const look = () => {
       for (let i = 0; i < 50; i++) {
         const text = readFileSync(workerData.path, 'utf8');
         if (!workerData.texts.includes(text)) throw new Error('it is ' + text.length + ' long');
       }
       setImmediate(look);
     };
     look();`,
    { eval: true, workerData: { path, texts } },
  );
  await once(looker, 'message');
  let fault: unknown = null;
  looker.on('error', (error) => (fault = error));
  const ended = once(looker, 'exit');
  for (let round = 0; round < 100; round++) {
    replaceFile(path, String(texts[round % 2]), 0o644);
    await new Promise((resolve) => setImmediate(resolve));
  }
  looker.postMessage('enough', []);
  await ended;
  assert.equal(fault, null);
  assert.equal(readFileSync(path, 'utf8'), texts[1]);
});
