import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { canonicalize, genesisHash, type JsonObject } from '@netd/protocol';
import { inCampaign, liesAboutBlock, until } from '@netd/protocol/testing';
import { NetNode } from '@netd/node';
import {
  BlockExecutor,
  BlockReplay,
  type BlockSource,
  identityOf,
  InvalidChainError,
  Store,
  tipOf,
  VerifierPool,
} from '@netd/engine';
import { comparedAnswer, plainPaths } from '@netd/testkit/compared-answers';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';
import { startGolden } from '@netd/testkit/golden-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { urlSource } from './verify-url.ts';
import { Replay } from '@netd/engine/testing';
import { Origin, OriginFaultError } from './origin.ts';

const NOBODY = 'http://127.0.0.1:1';

/** Only an origin that hangs takes a minute. */
const follow: typeof startFollower = (t, origins, options) =>
  startFollower(t, origins, { originTimeout: 60_000, ...options });

describe('behind an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await startGolden();
  });
  after(() => writer.stop());

  // A build compares all of them in same-bytes.http.test.ts.
  test(
    'a follower has every block and serves every document byte for byte',
    inCampaign,
    async (t) => {
      const follower = await follow(t, [writer.url]);
      await hasReached(follower, writer.height);
      const shared = await plainPaths(writer);
      const { orders } = (await writer.document('/v1/work-orders')) as {
        orders: { orderId: string }[];
      };
      const more = orders
        .slice(0, 5)
        .flatMap(({ orderId }) =>
          ['', '/brief', '/audit'].map((part) => `/v1/work-orders/${orderId}${part}`),
        );
      const blocks = Array.from(
        { length: writer.height + 1 },
        (_, height) => `/v1/blocks/${height}`,
      );
      const proofs = ['/v1/state/proof?key=chain/identity', '/v1/state/proof?key=agent/nobody'];
      const asked = [...shared, ...more, ...blocks, ...proofs];
      assert.ok(shared.length > 30, `${shared.length} documents`);
      for (const path of asked) {
        const [ours, theirs] = [follower.url, writer.url].map((url) =>
          comparedAnswer(url, { path }),
        );
        assert.equal(await ours, await theirs, path);
      }
      assert.deepEqual(follower.node.faults(), []);
    },
  );

  test('it takes no writes and says who does; it can say what they would do', async (t) => {
    const follower = await follow(t, [writer.url]);
    await hasReached(follower, writer.height);
    const post = async (path: string, body: JsonObject): Promise<[number, JsonObject]> => {
      const response = await fetch(follower.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: canonicalize(body),
      });
      return [response.status, (await response.json()) as JsonObject];
    };
    const registration = writer.registration('newcomer');
    const [status, problem] = await post('/v1/agents/register', registration);
    assert.deepEqual([status, problem['code']], [403, 'FOLLOWER_TAKES_NO_WRITES']);
    assert.equal(
      problem['detail'],
      `It follows ${writer.url}, which takes them or says who does. Send it, unchanged, to a node that takes writes; read it back here.`,
    );
    const [simulated, verdict] = await post('/v1/intents:simulate', {
      actorId: writer.running.node.dataDir.operator.actorId,
      action: 'transfer',
      payload: { to: 'nobody', amount: 1 },
    });
    assert.equal(simulated, 200, JSON.stringify(verdict));
  });

  test('follows new blocks, and resumes at its height after a stop', async (t) => {
    const dataDir = tempDir(t);
    const first = await follow(t, [writer.url], { dataDir });
    await hasReached(first, writer.height);
    await writer.join('late-1');
    await hasReached(first, writer.height);
    await first.stop();
    await writer.join('late-2');
    const again = await follow(t, [], { dataDir });
    assert.ok(again.node.chain.height > 0, 'what was there is there');
    await hasReached(again, writer.height);
    const newest = { path: '/v1/agents/late-2' };
    assert.equal(await comparedAnswer(again.url, newest), await comparedAnswer(writer.url, newest));
  });

  test(
    'tolerates an origin that is down, and bans a lying one with a reason',
    inCampaign,
    async (t) => {
      const liar = await TamperingProxy.before(writer.url);
      t.after(() => liar.close());
      liar.tamper = (path, document) => {
        const { header } = document as unknown as {
          header?: { height: number; stateRoot: string };
        };
        return path.startsWith('/v1/blocks/') && header && header.height > 2
          ? { ...(document as object), header: { ...header, stateRoot: 'ab'.repeat(32) } }
          : document;
      };
      const banned: string[] = [];
      // The other origin becomes reachable only after the liar was used.
      const late = await TamperingProxy.before(writer.url);
      t.after(() => late.close());
      late.tamper = (_path, document) => (banned.length === 0 ? null : document);
      const follower = await follow(t, [NOBODY, liar.url, late.url], {
        onBan: (url, reason) => banned.push(`${url} ${reason}`),
      });
      await hasReached(follower, writer.height);
      assert.equal(banned.length, 1, banned.join('\n'));
      assert.ok(
        banned[0]?.startsWith(`${liar.url} block 3: stateRoot is wrong after transition`),
        banned[0],
      );
      assert.ok(follower.node.faults().some((fault) => fault.includes(liar.url)));
      // No client is sent to the liar with a write, either.
      const registration = writer.registration('newcomer');
      const refused = await fetch(`${follower.url}/v1/agents/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: canonicalize(registration),
      });
      const { detail } = (await refused.json()) as { detail: string };
      assert.match(detail, new RegExp(`^It follows ${late.url}, which takes them or says who`));
    },
  );

  test('an origin that answers with more than any block has is not read to the end', async (t) => {
    const liar = await TamperingProxy.before(writer.url);
    t.after(() => liar.close());
    liar.tamper = (path, document) =>
      path.startsWith('/v1/blocks/') ? 'x'.repeat(40 * 1024 * 1024) : document;
    const origin = new Origin(liar.url);
    await assert.rejects(origin.block(1), {
      name: 'OriginFaultError',
      message: '/v1/blocks/1 answers more than any block has',
    });
    // If no events are requested, a quarter of that is too long.
    liar.tamper = (path, document) =>
      path.startsWith('/v1/blocks/') ? 'x'.repeat(10 * 1024 * 1024) : document;
    await assert.rejects(origin.block(1), /the answer is|no JSON document/);
    await assert.rejects(origin.blockText(1, undefined, 'none'), {
      name: 'OriginFaultError',
      message: '/v1/blocks/1?events=none answers more than any block has',
    });
  });

  test(
    'an origin that never answers is not waited for, and goes with the follower',
    inCampaign,
    async (t) => {
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      t.after(() => silent.close().closeAllConnections());
      const { port } = silent.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const dataDir = tempDir(t);
      const first = await follow(t, [writer.url], { dataDir });
      await first.stop();
      const follower = await follow(t, [url, writer.url], { dataDir, originTimeout: 100_000_000 });
      await hasReached(follower, writer.height);
      await writer.join('unheard');
      await hasReached(follower, writer.height);
      await follower.stop();
    },
  );

  test(
    'the disk refuses a block: the operator hears of it, and it is asked for again',
    inCampaign,
    async (t) => {
      let isFull = true;
      const follower = await follow(t, [writer.url], {
        wrapCommitter: (committer) => ({
          async commitBlocks(blocks) {
            if (blocks.some(({ header }) => header.height === 5) && isFull)
              throw new Error('ENOSPC');
            await committer.commitBlocks(blocks);
          },
        }),
      });
      // Earlier blocks may have been refused together with it, so they are retried alone.
      await until(() => follower.node.chain.height === 4 && follower.node.faults().length > 0);
      assert.deepEqual(follower.node.faults(), [
        'block 5 could not be written, and is tried again: ENOSPC',
      ]);
      isFull = false;
      await hasReached(follower, writer.height);
      assert.deepEqual(follower.node.faults(), []);
    },
  );

  test('no genesis but the trusted one is followed, and none where origins disagree', async (t) => {
    const other = await HttpNode.start({ chainId: 'net-other' });
    t.after(() => other.stop());
    const trusted = genesisHash(writer.running.node.dataDir.genesis);
    await assert.rejects(follow(t, [other.url], { genesisHash: trusted }), {
      name: 'FollowError',
      message: /no origin serves the chain you trust/,
    });
    await assert.rejects(follow(t, [other.url, writer.url]), /serve different chains/);
    await assert.rejects(follow(t, [NOBODY]), {
      code: 'NODE_UNREACHABLE',
      message: /^no node answers at http.*: see that one runs there/,
    });
    await assert.rejects(follow(t, [NOBODY, other.url], { genesisHash: trusted }), {
      code: 'FOLLOW_REFUSED',
    });
    const follower = await follow(t, [other.url, writer.url], { genesisHash: trusted });
    await hasReached(follower, writer.height);
    assert.equal(follower.node.chain.identity.chainId, writer.chainId);
    const { path } = follower.node.dataDir;
    await follower.stop();
    await assert.rejects(NetNode.start({ dataDir: path }), /belongs to a follower/);
    await assert.rejects(
      follow(t, [writer.url], { dataDir: path, genesisHash: 'cd'.repeat(32) }),
      /not the one you trust/,
    );
  });
});

test('a block that is sent otherwise than it is never becomes a candidate, whatever is altered in it', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  const proxy = await TamperingProxy.before(writer.url);
  t.after(() => proxy.close());
  await writer.join('alice');
  await writer.join('bob');
  const { height } = writer;
  const honest = await urlSource(writer.url);
  const store = Store.open(tempDir(t), { scratch: true });
  const verifier = new VerifierPool();
  t.after(async () => {
    await verifier.close();
    await store.close();
  });
  const source: BlockSource = { ...honest, height: height - 1 };
  await new Replay(source, store, verifier, () => {}).run();
  const identity = identityOf(honest.genesis);
  const snapshot = store.snapshot();
  const head = tipOf(snapshot.block.header, snapshot.block.certificate.blockHash);
  snapshot.close();
  const executor = BlockExecutor.load(identity, store, head);
  const blocks = new BlockReplay({ state: store, verifier });
  const origin = new Origin(proxy.url);
  const take = async (): Promise<void> => {
    for await (const prepared of blocks.prepareAhead(height, height, (at) => origin.block(at))) {
      const { hash } = await blocks.execute(prepared, executor);
      executor.discard(hash);
    }
  };
  await take();
  const lies = liesAboutBlock(await writer.document(`/v1/blocks/${height}`));
  assert.ok(lies.length > 40, `${lies.length} lies`);
  for (const lie of lies) {
    const { name } = lie;
    proxy.tamper = (path, document) =>
      path.startsWith('/v1/blocks/') ? lie.alter(document) : document;
    await assert.rejects(
      take(),
      (error) => {
        assert.ok(
          error instanceof InvalidChainError || error instanceof OriginFaultError,
          `${name}: ${String(error)}`,
        );
        return true;
      },
      name,
    );
    assert.equal(executor.newest.blockHash, head.blockHash, name);
  }
});

test('a directory that is no follower, or a damaged one, is refused in a sentence', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  const own = tempDir(t);
  const node = await NetNode.start({ dataDir: own });
  await node.stop();
  await assert.rejects(follow(t, [writer.url], { dataDir: own }), /certifies itself/);
  const damaged = tempDir(t);
  const follower = await follow(t, [writer.url], { dataDir: damaged });
  await follower.stop();
  writeFileSync(join(damaged, 'follow.json'), '{');
  await assert.rejects(follow(t, [], { dataDir: damaged }), /is not as a follower wrote it/);
});
