/** Origins that lie about a state or do not deliver it are named and dropped, and the follower still starts. */
import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { hashWithout, makeCheckpoint, sha256Hex, type StateCheckpoint } from '@netd/protocol';
import { plays, until } from '@netd/protocol/testing';
import { systemClock, type Clock } from '@netd/engine';
import { hasReached, startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { HttpNode, textOf } from '@netd/testkit/http-node';
import { Answer, TamperingProxy, type Tamper } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';
import type { FollowOptions } from '@netd/node';

const isChunk = (path: string): boolean => path.startsWith('/v1/state/chunks/');
const isManifest = (path: string): boolean => path === '/v1/state/checkpoint';

interface Told {
  banned: string[];
  fallbacks: string[];
  heights: number[];
}

describe('beside an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await HttpNode.start();
    const names = Array.from({ length: 300 }, (_, i) => `agent-${i}`);
    const join1 = (name: string): Promise<unknown> =>
      writer.join(name, { description: name.repeat(28).slice(0, 280) });
    await Promise.all(names.map(join1));
  });
  after(() => writer.stop());

  async function liarOf(t: TestContext, tamper: Tamper): Promise<TamperingProxy> {
    const liar = await TamperingProxy.before(writer.url);
    t.after(() => liar.close());
    liar.tamper = tamper;
    return liar;
  }

  async function follow(
    t: TestContext,
    origins: string[],
    options: Partial<FollowOptions> = {},
  ): Promise<Told & { running: RunningFollower }> {
    const told: Told = { banned: [], fallbacks: [], heights: [] };
    const running = await startFollower(t, origins, {
      originTimeout: 60_000,
      from: 'checkpoint',
      onBan: (url, reason) => told.banned.push(`${url} ${reason}`),
      onFallback: (reason) => told.fallbacks.push(reason),
      onProgress: ({ height }) => told.heights.push(height),
      ...options,
    });
    await hasReached(running, writer.height);
    const { stateRoot } = writer.state();
    assert.equal(running.node.chain.head.stateRoot, stateRoot);
    return { ...told, running };
  }

  type Document = Record<string, unknown>;
  interface Certificate {
    votes: { signature: string }[];
  }
  const unsigned = (certificate: Certificate): Certificate => ({
    ...certificate,
    votes: certificate.votes.map((vote) => ({
      ...vote,
      signature: vote.signature.replace(/^..../, 'AAAA'),
    })),
  });
  const asChunk = (change: (bytes: Buffer) => Buffer): Tamper => {
    return (path, document: Document) =>
      isChunk(path)
        ? {
            ...document,
            data: change(Buffer.from(String(document['data']), 'base64')).toString('base64'),
          }
        : document;
  };
  const flipped = (bytes: Buffer): Buffer => {
    const changed = Buffer.from(bytes);
    changed[100] = (changed[100] ?? 0) ^ 1;
    return changed;
  };
  const resealed = (manifest: Document): Document => {
    const body = { ...manifest, checkpointHash: '' };
    return { ...body, checkpointHash: hashWithout(body, 'checkpointHash') };
  };
  const asManifest =
    (change: (manifest: Document) => unknown): Tamper =>
    (path, document) =>
      isManifest(path) ? change(document) : document;

  const lies: [string, Tamper, RegExp][] = [
    ['a byte of a chunk is flipped', asChunk(flipped), /chunk \d+ of its checkpoint is not what/],
    [
      'a chunk is cut short',
      asChunk((bytes) => bytes.subarray(0, bytes.length - 1)),
      /chunk \d+ of its checkpoint is not what/,
    ],
    [
      'a chunk never ends',
      (path, document) => (isChunk(path) ? 'x'.repeat(1_000_000) : document),
      /chunks\/\d+\?checkpoint=\S+ answers more than it ought to/,
    ],
    [
      'a chunk is no document',
      (path, document) => (isChunk(path) ? 'null' : document),
      /answers what is no JSON document/,
    ],
    [
      'a manifest is of another shape',
      asManifest((manifest) => ({ ...manifest, chunkHashes: 'none' })),
      /is not of the shape it should have/,
    ],
    [
      'a manifest is changed',
      asManifest((manifest) => ({ ...manifest, byteLength: 1 })),
      /does not hash to its checkpointHash/,
    ],
    [
      'a manifest says more chunks than there are',
      asManifest((manifest) => resealed({ ...manifest, chunkCount: 1_000 })),
      /has another number of chunks than it says/,
    ],
    [
      'a manifest is of another chain',
      asManifest((manifest) => resealed({ ...manifest, chainId: 'net-other' })),
      /is of the chain net-other/,
    ],
    [
      'a manifest names an uncertified state root',
      asManifest((manifest) => resealed({ ...manifest, stateRoot: 'ab'.repeat(32) })),
      /is not of the state that its block has/,
    ],
    [
      'a manifest names an uncertified block',
      asManifest((manifest) => resealed({ ...manifest, blockHash: 'ab'.repeat(32) })),
      /it is another one than its successor names/,
    ],
    [
      'the block of the checkpoint has a certificate without votes',
      (path, document: Document) =>
        path === `/v1/blocks/${writer.height}`
          ? { ...document, certificate: unsigned(document['certificate'] as Certificate) }
          : document,
      /the certificate is not valid/,
    ],
  ];
  for (const [name, tamper, reason] of lies) {
    test(`${name}: bans its origin, and asks another`, async (t) => {
      const liar = await liarOf(t, tamper);
      const banned: string[] = [];
      const named = Promise.withResolvers<void>();
      // Otherwise the other origin could deliver every chunk before the liar is used.
      const late = await liarOf(t, async (path, document) => {
        if (isChunk(path)) await named.promise;
        return document;
      });
      const { fallbacks, running } = await follow(t, [liar.url, late.url], {
        originTimeout: 60_000,
        onBan: (url, why) => {
          banned.push(`${url} ${why}`);
          named.resolve();
        },
      });
      assert.deepEqual(fallbacks, []);
      assert.equal(banned.length, 1, banned.join('\n'));
      assert.ok(banned[0]?.startsWith(`${liar.url} `), banned[0]);
      assert.match(String(banned[0]), reason);
      assert.ok(running.node.faults().some((fault) => fault.includes(liar.url)));
    });
  }

  /** Returns a complete checkpoint that looks honest until the follower computes its root. */
  async function forgery(change: (bytes: Buffer) => Buffer): Promise<Tamper> {
    const honest = (await writer.document('/v1/state/checkpoint')) as unknown as StateCheckpoint;
    const chunks = await Promise.all(
      honest.chunkHashes.map(async (_, index) => {
        const path = `/v1/state/chunks/${index}?checkpoint=${honest.checkpointHash}`;
        return Buffer.from(textOf(await writer.document(path), 'data'), 'base64');
      }),
    );
    const bytes = change(Buffer.concat(chunks));
    const count = Math.ceil(bytes.length / honest.chunkSize);
    const forged = Array.from({ length: count }, (_, index) =>
      bytes.subarray(index * honest.chunkSize, (index + 1) * honest.chunkSize),
    );
    const manifest = makeCheckpoint(
      honest,
      bytes.length,
      forged.map((chunk) => sha256Hex(chunk)),
    );
    return (path, document: Document) => {
      if (isManifest(path)) return manifest;
      const index = Number(/chunks\/(\d+)/.exec(path)?.[1] ?? -1);
      const chunk = forged[index];
      return isChunk(path) && chunk ? { ...document, data: chunk.toString('base64') } : document;
    };
  }

  const pair = (...fields: string[]): Buffer =>
    Buffer.concat(
      fields.flatMap((field) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(field.length);
        return [length, Buffer.from(field)];
      }),
    );
  const nonce = (hash: unknown): Buffer =>
    pair('nonce/1', JSON.stringify([{ hash, expiry: 1_000_000 }]));
  const withNonce =
    (hash: unknown) =>
    (bytes: Buffer): Buffer => {
      const at = bytes.indexOf('operator-roster/genesis') - 4;
      return Buffer.concat([bytes.subarray(0, at), nonce(hash), bytes.subarray(at)]);
    };
  const states: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    [
      'a state of another root',
      (bytes) => {
        bytes.write('Agent-7', bytes.indexOf('agent-7agent-7'));
        return bytes;
      },
      /has the root [a-f0-9]{64}, the validators certified/,
    ],
    ['a state with a nonce too long to be a key', withNonce('ab'.repeat(5_000)), /is no key/],
    ['a state with a nonce that is no text', withNonce({}), /is no key/],
  ];
  for (const [name, change, reason] of plays(states.slice(0, 2), states)) {
    test(`${name}: bans its origin, and restores from another`, async (t) => {
      const tamper = await forgery(change);
      const real = textOf(await writer.document('/v1/state/checkpoint'), 'checkpointHash');
      const liar = await liarOf(t, tamper);
      const late = await liarOf(t, (path, document) =>
        isManifest(path) && banned.length === 0 ? null : document,
      );
      const banned: string[] = [];
      const redirected = await forwardingForgery(t, liar, real);
      const follower = await follow(t, [redirected, late.url], {
        onBan: (url, why) => banned.push(`${url} ${why}`),
      });
      assert.deepEqual(follower.fallbacks, []);
      assert.equal(banned.length, 1, banned.join('\n'));
      assert.match(String(banned[0]), reason);
      assert.ok(banned[0]?.startsWith(redirected));
      assert.deepEqual(follower.heights, [], 'no block was replayed');
    });
  }

  /** Starts a server that forwards to the liar, with the real checkpoint's hash in place of the forged one. */
  async function forwardingForgery(
    t: TestContext,
    liar: TamperingProxy,
    real: string,
  ): Promise<string> {
    const server = createServer((request, response) => {
      const path = String(request.url).replace(/checkpoint=[a-f0-9]{64}/, `checkpoint=${real}`);
      void fetch(liar.url + path)
        .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close().closeAllConnections());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  test('a liar alone: the follower begins at genesis, with blocks that are verified', async (t) => {
    const liar = await liarOf(t, asChunk(flipped));
    const { banned, fallbacks, heights } = await follow(t, [liar.url]);
    assert.equal(banned.length, 1, banned.join('\n'));
    assert.match(fallbacks.join(), /chunk \d+ of its checkpoint is not what/);
    // It arrives one message after the block.
    await until(() => heights.length > 0);
    assert.equal(heights[0], 1);
  });

  test('begins at genesis if no origin has a checkpoint, and reports the reason', async (t) => {
    const none = await liarOf(t, (path, document) => (isManifest(path) ? null : document));
    const { banned, fallbacks, heights } = await follow(t, [none.url]);
    assert.deepEqual(banned, []);
    assert.match(fallbacks.join(), /no checkpoint can be had \(http\S+: no node answers/);
    // It arrives one message after the block.
    await until(() => heights.length > 0);
    assert.equal(heights[0], 1);
  });

  test('an origin that stalls is left to itself: the others bring its chunks', async (t) => {
    const stalled = await liarOf(t, (path, document) =>
      isChunk(path) ? new Promise(() => {}) : document,
    );
    const { banned, fallbacks, heights } = await follow(t, [stalled.url, writer.url], {
      originTimeout: 60_000,
    });
    assert.deepEqual([fallbacks, heights], [[], []]);
    assert.ok(
      banned.every((line) => line.startsWith(`${stalled.url} chunk`)),
      banned.join(),
    );
  });

  test('an origin that breaks every connection is named after a few, and left', async (t) => {
    const broken = await liarOf(t, (path, document) => (isChunk(path) ? null : document));
    const { banned, fallbacks } = await follow(t, [broken.url]);
    assert.match(banned.join(), /no node answers/);
    assert.match(fallbacks.join(), /no origin has the chunks/);
  });

  /** Returns a well-formed manifest of the true state, with hashes of chunks that do not exist. */
  const invented =
    (count: number): ((manifest: Document) => unknown) =>
    (manifest) =>
      makeCheckpoint(
        manifest as unknown as StateCheckpoint,
        count * Number(manifest['chunkSize']),
        Array.from({ length: count }, (_, index) => sha256Hex(`${index}`)),
      );
  const nowhere: [string, number, () => unknown][] = [
    ['for which no disk has room', 400_000, () => null],
    ['whose chunks it says it has not', 4, () => new Answer(404, {})],
    ['whose chunks never come', 4, () => new Promise(() => {})],
  ];
  /** Shortens the follower's long timers. Lengthens the 5 s timer if the offer is large, for slow machines. */
  const clockFor = (count: number): Clock => ({
    ...systemClock,
    after: (milliseconds, callback) => {
      const isLarge = count > 1_000 && milliseconds === 5_000;
      const scale = isLarge ? 12 : milliseconds >= 30_000 ? 1 / 20 : 1;
      return systemClock.after(milliseconds * scale, callback);
    },
  });
  for (const [name, count, chunk] of plays(nowhere.slice(1, 2), nowhere)) {
    test(`skips a checkpoint ${name}, and restores an available one`, async (t) => {
      const honest = await writer.document('/v1/state/checkpoint');
      const real = textOf(honest, 'checkpointHash');
      const told = invented(count)(honest);
      let asked = false;
      const liar = await liarOf(t, (path, document) => {
        if (path === `/v1/blocks/${writer.height}`) asked = true;
        if (isChunk(path)) return chunk();
        return isManifest(path) ? told : document;
      });
      // The honest origin has no checkpoint before the liar's has been checked.
      const late = await liarOf(t, (path, document) =>
        isManifest(path) && !asked ? null : document,
      );
      const redirected = await forwardingForgery(t, liar, real);
      const { fallbacks, heights } = await follow(t, [redirected, late.url], {
        originTimeout: 60_000,
        clock: clockFor(count),
      });
      assert.deepEqual([fallbacks, heights], [[], []]);
    });
  }

  test('a state that is said to be far larger than another one is not waited for, however many tell it', async (t) => {
    const liars = await Promise.all(
      [1, 2].map(() =>
        liarOf(t, (path, document) => (isManifest(path) ? invented(1_000)(document) : document)),
      ),
    );
    const restored = new Set<number>();
    const { fallbacks, banned } = await follow(t, [...liars.map(({ url }) => url), writer.url], {
      onRestore: ({ phase, total }) => {
        if (phase === 'chunks') restored.add(total);
      },
    });
    const { byteLength } = await writer.document('/v1/state/checkpoint');
    assert.deepEqual([fallbacks, banned, [...restored]], [[], [], [byteLength]]);
  });

  test('what was downloaded before a stop is not asked for again, unless the disk has changed it', async (t) => {
    const dataDir = tempDir(t);
    const asked: string[] = [];
    const proxy = await liarOf(t, (path, document) => {
      if (isChunk(path)) asked.push(path);
      return document;
    });
    const options = { dataDir, from: 'checkpoint' as const };
    class Stop extends Error {}
    const stopAt = (phase: string): Partial<FollowOptions> => ({
      ...options,
      onRestore: (progress) => {
        if (progress.phase === phase) throw new Stop(phase);
      },
    });
    await assert.rejects(follow(t, [proxy.url], stopAt('tree')), Stop);
    const count = asked.length;
    assert.ok(count > 1, `${count} chunks`);
    const folder = join(dataDir, 'restore', 'checkpoint');
    const chunks = readdirSync(folder).filter((name) => name.startsWith('chunk-'));
    assert.equal(chunks.length, count);
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name === 'chain'),
      [],
      'there is no database before it is whole',
    );
    // One chunk is cut short, one holds other bytes of the same length, and a draft remains.
    truncateSync(join(folder, 'chunk-0'), 10);
    const { size } = statSync(join(folder, 'chunk-1'));
    writeFileSync(join(folder, 'chunk-1'), Buffer.alloc(size));
    writeFileSync(join(folder, 'chunk-1.draft'), 'half');
    asked.length = 0;
    const follower = await follow(t, [proxy.url], options);
    assert.deepEqual(follower.fallbacks, []);
    assert.deepEqual(
      asked
        .map((path) => /chunks\/(\d+)/.exec(path)?.[1])
        .toSorted((a, b) => Number(a) - Number(b)),
      ['0', '1'],
    );
  });

  test('starts from a checkpoint by default if the origins are far ahead, else at genesis', async (t) => {
    const far = await liarOf(t, (path, document) =>
      path === '/v1/network' ? { ...document, height: 5_000 } : document,
    );
    const near = await follow(t, [writer.url], { from: undefined as never });
    await until(() => near.heights.length > 0);
    assert.equal(near.heights[0], 1);
    const restored: string[] = [];
    const follower = await follow(t, [far.url, writer.url], {
      from: undefined as never,
      onRestore: ({ phase }) => restored.push(phase),
    });
    assert.deepEqual(follower.heights, []);
    assert.ok(restored.includes('done'));
  });
});
