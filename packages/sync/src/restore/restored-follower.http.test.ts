/** A follower that begins at a checkpoint: its answers before its history is complete, and lying origins. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { comparedAnswer, plainPaths } from '@netd/testkit/compared-answers';
import { startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { startGolden } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { type RestoreProgress, verifyDatabase } from '@netd/engine';
import { verifyUrl } from '../verify-url.ts';

interface Restored {
  running: RunningFollower;
  /** Banned origins, with the reason. */
  banned: string[];
  fallbacks: string[];
  steps: RestoreProgress[];
}

async function follow(t: TestContext, origins: string[]): Promise<Restored> {
  const told: Omit<Restored, 'running'> = { banned: [], fallbacks: [], steps: [] };
  const running = await startFollower(t, origins, {
    originTimeout: 60_000,
    from: 'checkpoint',
    onBan: (url, reason) => told.banned.push(`${url} ${reason}`),
    onFallback: (reason) => told.fallbacks.push(reason),
    onRestore: (progress) => told.steps.push(progress),
  });
  return { ...told, running };
}

const isWhole = ({ running }: Restored): Promise<true> =>
  until(() => running.node.store.history().from === 0);

/** Matches times: the follower leaves out those of blocks that it does not have yet. */
const TIMES = /,"times":\{[^}]*\}/g;
const withoutTimes = (answer: string): string => answer.replace(TIMES, '');

describe('behind an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await startGolden();
  });
  after(() => writer.stop());

  test('a follower has the state at once, the blocks before it soon, and is then what replay would have made, in every table', async (t) => {
    const follower = await follow(t, [writer.url]);
    const { node, url } = follower.running;
    assert.deepEqual([follower.banned, follower.fallbacks], [[], []]);
    assert.equal(node.chain.height, writer.height, 'not a block was replayed');
    assert.deepEqual(
      [...new Set(follower.steps.map(({ phase }) => phase))],
      ['chunks', 'pairs', 'tree', 'done'],
    );
    assert.equal(existsSync(join(node.dataDir.path, 'restore')), false);
    await isWhole(follower);
    const documents = await plainPaths(writer);
    assert.ok(documents.length > 30, `${documents.length} documents`);
    const blocks = Array.from({ length: writer.height + 1 }, (_, height) => `/v1/blocks/${height}`);
    const proofs = ['/v1/state/proof?key=chain/identity', '/v1/state/proof?key=agent/nobody'];
    const events = ['/v1/events?after=0.0&limit=500', '/v1/blocks?limit=100'];
    for (const path of [...documents, ...blocks, ...proofs, ...events]) {
      assert.equal(
        await comparedAnswer(url, { path }),
        await comparedAnswer(writer.url, { path }),
        path,
      );
    }
    assert.deepEqual(node.faults(), []);
    // The follower continues with blocks.
    await writer.join(`late-${writer.height}`);
    await until(() => node.chain.height === writer.height);
    const { storePath } = node.dataDir;
    await follower.running.stop();
    const report = await verifyDatabase(storePath, {});
    assert.deepEqual(report.fault, null);
    assert.equal(report.height, writer.height);
  });

  test('what needs blocks that are not here yet is refused, and says who has them', async (t) => {
    const proxy = await TamperingProxy.before(writer.url);
    t.after(() => proxy.close());
    let isHeldBack = true;
    const first = writer.height - 16;
    proxy.tamper = (path, document) => {
      const height = Number(/^\/v1\/blocks\/(\d+)/.exec(path)?.[1] ?? Infinity);
      return isHeldBack && height < first ? null : document;
    };
    const follower = await follow(t, [proxy.url]);
    const { url, node } = follower.running;
    const health = async (): Promise<JsonObject> =>
      (await (await fetch(`${url}/health`)).json()) as JsonObject;
    assert.equal((await health())['historyFrom'], first);
    const served: string[] = [];
    const documents = [...(await plainPaths(writer)), `/v1/blocks/${first}`, '/v1/blocks/1'];
    for (const path of documents) {
      const [here, there] = [
        await comparedAnswer(url, { path }),
        await comparedAnswer(writer.url, { path }),
      ];
      if (withoutTimes(here) === withoutTimes(there)) {
        served.push(path);
        continue;
      }
      // A2A refuses in its own format, too.
      if (path === '/a2a/v1/tasks' && here.startsWith('503')) continue;
      const { code, detail } = JSON.parse(here.slice(4)) as { code: string; detail: string };
      assert.deepEqual([here.slice(0, 3), code], ['503', 'HISTORY_NOT_HELD'], path);
      assert.ok(detail.includes(proxy.url) && detail.includes(`height ${first} on`), detail);
    }
    assert.match(await comparedAnswer(writer.url, { path: '/v1/agents' }), TIMES);
    assert.ok(served.includes('/v1/agents') && served.includes(`/v1/blocks/${first}`));
    assert.ok(!served.includes('/v1/blocks/1'), served.join(' '));
    const refused = [
      '/v1/events?after=0.0',
      `/v1/transitions/${'ab'.repeat(32)}`,
      `/v1/consensus/certificates/${'ab'.repeat(32)}`,
    ];
    for (const path of refused)
      assert.match(await comparedAnswer(url, { path }), /^503 .*HISTORY_NOT_HELD/, path);
    for (const path of ['/blocks/1', `/transitions/${'ab'.repeat(32)}`]) {
      const page = await fetch(url + path, { headers: { accept: 'text/html' } });
      assert.equal(page.status, 200, `${path} explains in the browser what is missing`);
    }
    const stream = await fetch(`${url}/v1/events?after=0.0`, {
      headers: { accept: 'text/event-stream' },
    });
    assert.equal(stream.status, 503);
    await assert.rejects(verifyDatabase(node.dataDir.storePath, {}), {
      name: 'StoreError',
      message: /has the blocks from height \d+ on so far/,
    });
    // The chain is valid, so the verifier must not call it invalid.
    await assert.rejects(verifyUrl(url, {}), /\/v1\/blocks\/0 answers 503/);
    isHeldBack = false;
    await isWhole(follower);
    assert.equal('historyFrom' in (await health()), false);
    for (const path of documents) {
      assert.equal(
        await comparedAnswer(url, { path }),
        await comparedAnswer(writer.url, { path }),
        path,
      );
    }
  });
});
