/** Each fork request that cannot be met, and each lie of an origin, has its own error code. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { hashWithout, makeCheckpoint, sha256Hex, type StateCheckpoint } from '@netd/protocol';
import { plays } from '@netd/protocol/testing';
import { type ForkFrom, serve } from '@netd/node';
import { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy, type Tamper } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';

type Document = Record<string, unknown>;

const isChunk = (path: string): boolean => path.startsWith('/v1/state/chunks/');
const isManifest = (path: string): boolean => path.startsWith('/v1/state/checkpoint');

const resealed = (manifest: Document): Document => {
  const body = { ...manifest, checkpointHash: '' };
  return { ...body, checkpointHash: hashWithout(body, 'checkpointHash') };
};

describe('a fork', () => {
  let origin: HttpNode;
  let served = '';
  before(async () => {
    origin = await HttpNode.start();
    // Needs more than one chunk.
    const description = 'd'.repeat(280);
    const names = Array.from({ length: 300 }, (_, count) => `agent-${count}`);
    await Promise.all(names.map((name) => origin.join(name, { description })));
  });
  after(() => origin.stop());

  interface Begun {
    dataDir: string;
    notices: string[];
  }

  /** Begins a fork, and stops it. */
  async function fork(
    t: TestContext,
    forkFrom: Partial<ForkFrom>,
    { dataDir = tempDir(t), ...others }: { dataDir?: string; chainId?: string; port?: number } = {},
  ): Promise<Begun> {
    const notices: string[] = [];
    const running = await serve({
      host: '127.0.0.1',
      port: 0,
      laboratory: true,
      ...others,
      dataDir,
      forkFrom: {
        url: origin.url,
        originTimeout: 60_000,
        onNotice: (sentence) => notices.push(sentence),
        ...forkFrom,
      },
    });
    await running.stop();
    return { dataDir, notices };
  }

  async function liarOf(
    t: TestContext,
    tamper: Tamper,
    { changesRefusals = false } = {},
  ): Promise<string> {
    const liar = await TamperingProxy.before(origin.url);
    t.after(() => liar.close());
    liar.tamper = tamper;
    liar.changesRefusals = changesRefusals;
    return liar.url;
  }

  const LIES: [string, Tamper, RegExp][] = [
    [
      'a chunk is another one',
      (path, document: Document) =>
        isChunk(path) ? { ...document, data: Buffer.from('other').toString('base64') } : document,
      /chunk \d+ of its checkpoint is not what/,
    ],
    [
      'the chunks are those of another state',
      (path, document: Document) =>
        isManifest(path) ? resealed({ ...document, stateRoot: 'ab'.repeat(32) }) : document,
      /is not of the state that its block has/,
    ],
    [
      'the state is another one, under a manifest of its own',
      async (path, document: Document) => {
        const changed = (data: unknown): Buffer => {
          const bytes = Buffer.from(String(data), 'base64');
          bytes.write('e', bytes.indexOf('ddd'));
          return bytes;
        };
        if (isManifest(path)) {
          const { chunkHashes, byteLength, ...facts } = document as unknown as StateCheckpoint;
          const chunk = `/v1/state/chunks/0?checkpoint=${facts.checkpointHash}`;
          served = facts.checkpointHash;
          const { data } = await origin.document(chunk);
          return makeCheckpoint(facts, byteLength, [
            sha256Hex(changed(data)),
            ...chunkHashes.slice(1),
          ]);
        }
        if (!isChunk(path)) return document;
        const index = Number(/chunks\/(\d+)/.exec(path)?.[1]);
        const own = await origin.document(`/v1/state/chunks/${index}?checkpoint=${served}`);
        return index === 0 ? { ...own, data: changed(own['data']).toString('base64') } : own;
      },
      /the validators certified/,
    ],
    [
      'the block is certified by no validator',
      (path, document: Document) => {
        if (!path.startsWith('/v1/blocks/')) return document;
        const { certificate, ...rest } = document;
        const { votes, ...others } = certificate as { votes: { signature: string }[] };
        const unsigned = votes.map((vote) => ({
          ...vote,
          signature: vote.signature.replace(/^..../, 'AAAA'),
        }));
        return { ...rest, certificate: { ...others, votes: unsigned } };
      },
      /certificate is not valid/,
    ],
    [
      'the checkpoint is of a later height than was asked for',
      (path, document: Document) =>
        isManifest(path) ? resealed({ ...document, height: 1_000_000 }) : document,
      /later height/,
    ],
  ];
  // The checks behind these are those of a restore.
  for (const [lie, tamper, reason] of plays(LIES.slice(0, 3), LIES)) {
    test(`is refused where ${lie}`, async (t) => {
      const url = await liarOf(t, tamper, { changesRefusals: lie.startsWith('the state') });
      const dataDir = tempDir(t);
      const at = origin.height;
      await assert.rejects(fork(t, { url, at }, { dataDir }), (error: Error & { code: string }) => {
        assert.equal(error.code, 'FORK_ORIGIN_LIES', error.message);
        assert.match(error.message, reason);
        return true;
      });
      assert.ok(!existsSync(join(dataDir, 'genesis.json')), 'a chain was begun');
      // The same directory accepts the true state from another node.
      await fork(t, { at }, { dataDir });
    });
  }

  const REFUSED: [string, string, () => Promise<[Partial<ForkFrom>, object?]>][] = [
    ['beyond the head', 'FORK_BEYOND_HEAD', async () => [{ at: origin.height + 1 }]],
    ['before the oldest checkpoint', 'FORK_TOO_OLD', async () => [{ at: 0 }]],
    [
      'if the genesis hash is not the trusted one',
      'FORK_OTHER_CHAIN',
      async () => [{ genesisHash: '0'.repeat(64) }],
    ],
    ['under the id of its origin', 'FORK_SAME_ID', async () => [{}, { chainId: origin.chainId }]],
    [
      'if no node answers',
      'NODE_UNREACHABLE',
      async () => [{ url: 'http://127.0.0.1:1', originTimeout: 2_000 }],
    ],
    [
      'of the laboratory itself',
      'FORK_OF_ITSELF',
      async () => [{ url: 'http://localhost:48420' }, { port: 48_420 }],
    ],
  ];
  for (const [what, code, ask] of REFUSED) {
    test(`is refused ${what}`, async (t) => {
      const [from, others] = await ask();
      await assert.rejects(fork(t, from, others), { code });
    });
  }

  test('is refused of a network that speaks another version, and of what is no network', async (t) => {
    const other = await liarOf(t, (path, document: Document) =>
      path === '/v1/network' ? { ...document, interfaceVersion: '9.0.0' } : document,
    );
    await assert.rejects(fork(t, { url: other }), { code: 'FORK_OTHER_VERSION' });
    const none = await liarOf(t, () => 'hello');
    await assert.rejects(fork(t, { url: none }), { code: 'FORK_OTHER_CHAIN' });
  });

  test('goes on with a download that was interrupted, and begins anew with that of another height', async (t) => {
    const dataDir = tempDir(t);
    let chunks = 0;
    const broken = await liarOf(t, (path, document) =>
      isChunk(path) && ++chunks > 1 ? null : document,
    );
    await assert.rejects(fork(t, { url: broken }, { dataDir }), { code: 'NODE_UNREACHABLE' });
    const here = (): string[] =>
      readdirSync(join(dataDir, 'fork-point')).filter((name) => /^chunk-\d+$/.test(name));
    assert.equal(here().length, 1);
    // While the network is away, no other fork may be started over it.
    await assert.rejects(
      serve({ host: '127.0.0.1', port: 0, laboratory: true, dataDir }),
      /begun and not finished/,
    );
    let asked = 0;
    const counting = await liarOf(t, (path, document) => {
      if (isChunk(path)) asked++;
      return document;
    });
    const { notices } = await fork(t, { url: counting }, { dataDir });
    assert.deepEqual(notices, []);
    assert.equal(asked, here().length - 1);
    const other = tempDir(t);
    await assert.rejects(fork(t, { url: broken }, { dataDir: other }));
    const begun = await fork(t, { at: origin.height }, { dataDir: other });
    assert.match(begun.notices.join(), /begins anew/);
  });

  test('is not made of a chain that is there, and is not asked for again', async (t) => {
    const dataDir = tempDir(t);
    const ordinary = await serve({ host: '127.0.0.1', port: 0, laboratory: true, dataDir });
    await ordinary.stop();
    await assert.rejects(fork(t, {}, { dataDir }), /is no fork, and none becomes one/);
    const { dataDir: forked } = await fork(t, {});
    await fork(t, { url: 'http://127.0.0.1:1' }, { dataDir: forked });
    await assert.rejects(fork(t, { at: 0 }, { dataDir: forked }), /after the 0 of --at/);
  });

  test('is rebuilt from its saved state, and reports damage in it', async (t) => {
    const { dataDir } = await fork(t, {});
    rmSync(join(dataDir, 'chain'), { recursive: true });
    await fork(t, {}, { dataDir });
    rmSync(join(dataDir, 'chain'), { recursive: true });
    writeFileSync(join(dataDir, 'fork-point', 'chunk-0'), 'x');
    await assert.rejects(fork(t, {}, { dataDir }), /fork-point is damaged/);
  });
});
