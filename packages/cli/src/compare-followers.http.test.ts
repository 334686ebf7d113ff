/** `netd compare` beside followers that are behind, lack blocks, or are away. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { join as register } from '@netd/testkit/forked-chain';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { runHere } from './testing/run-here.ts';

/** More blocks than a follower that begins at a checkpoint first downloads. */
const BLOCKS = 30;
const NEVER = 100_000_000;
const NOBODY = 'http://127.0.0.1:1';

async function startWriter(t: TestContext, chainId: string): Promise<RunningNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-compare-'));
  const writer = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    chainId,
    blockTime: 1,
    idleBlockTime: NEVER,
  });
  // Stop the nodes first, because a running node may write into the directory that is being removed.
  t.after(async () => {
    await writer.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return writer;
}

test('the table says who is behind and who is away, and a follower that lacks blocks agrees in those it has', async (t) => {
  const writer = await startWriter(t, 'net-compare-1');
  for (let count = 0; count < BLOCKS; count++) await register(writer, `agent-${count}`);
  const end = writer.node.chain.height;
  /** Starts a node that has only some of the blocks. */
  const partOf = async (from: number, to: number): Promise<string> => {
    const proxy = await TamperingProxy.before(writer.url);
    t.after(() => proxy.close());
    proxy.tamper = (path, document) => {
      const height = Number(/^\/v1\/blocks\/(\d+)/.exec(path)?.[1] ?? from);
      return from <= height && height <= to ? document : null;
    };
    return proxy.url;
  };
  const young = await startFollower(t, [await partOf(end - 16, end)], { from: 'checkpoint' });
  await hasReached(young, end);
  await register(writer, 'later-1');
  await register(writer, 'later-2');
  const rowOf = (stdout: string, url: string): string =>
    stdout.split('\n').find((line) => line.includes(url)) ?? '';

  const behind = await runHere(['compare', writer.url, young.url]);
  assert.equal(behind.code, 0, behind.stderr);
  assert.match(rowOf(behind.stdout, young.url), new RegExp(` ${end} +2 behind$`));
  assert.match(behind.stdout, /They agree: every pair was compared/);

  const some = await runHere(['compare', writer.url, young.url, NOBODY]);
  assert.equal(some.code, 1);
  assert.match(rowOf(some.stdout, NOBODY), /no answer$/);
  assert.match(some.stdout, /No contradiction was found, but too little answered/);

  const nobody = await runHere(['compare', NOBODY, 'http://127.0.0.1:2']);
  assert.equal(nobody.code, 3);
});

test('of two networks none is behind the other', async (t) => {
  const [one, other] = [await startWriter(t, 'net-compare-1'), await startWriter(t, 'net-other-1')];
  await register(one, 'ada');
  const { code, stdout } = await runHere(['compare', one.url, other.url]);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /They serve different networks: leave out those/);
  const alone = await runHere(['compare', one.url]);
  assert.equal(alone.code, 1);
  assert.match(alone.stdout, /Only one origin was named/);
  assert.doesNotMatch(stdout, /behind/);
});
