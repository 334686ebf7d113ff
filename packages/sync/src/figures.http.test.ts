/** The metrics and health of a follower: its lag, its origins, and its stored history. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { timestampToMs, type JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { startFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';

const NOBODY = 'http://127.0.0.1:1';

async function figures(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /^netd_[a-z_]+(\{[^}]*\})? \S+$/.test(line));
  return new Map(
    lines.map((line) => {
      const [name = '', value] = line.split(' ');
      return [name, Number(value)];
    }),
  );
}

const healthOf = async (url: string): Promise<JsonObject> =>
  (await (await fetch(`${url}/health`)).json()) as JsonObject;

const follow = async (t: TestContext, origins: string[]): Promise<string> =>
  (await startFollower(t, origins, { originTimeout: 60_000 })).url;

test('a follower tells how many blocks it is behind, who is asked, who rests and who has lied', async (t) => {
  const writer = await HttpNode.start();
  let isUp = true;
  t.after(async () => {
    if (isUp) await writer.stop();
  });
  const liar = await TamperingProxy.before(writer.url);
  const slow = await TamperingProxy.before(writer.url);
  t.after(() => {
    liar.close();
    slow.close();
  });
  await writer.join('alice');
  liar.tamper = (path, document: JsonObject) =>
    path === '/v1/network' ? { ...document, height: 'high' } : document;

  const url = await follow(t, [writer.url, liar.url, NOBODY]);
  await until(async () => (await figures(url)).get('netd_origins{state="banned"}') === 1);
  await until(async () => (await figures(url)).get('netd_height') === writer.height);
  await until(async () => (await figures(url)).get('netd_behind_blocks') === 0);
  const told = await figures(url);
  assert.equal(told.get('netd_halted'), 0);
  assert.equal(told.get('netd_history_from_height'), 0);
  const { timestamp } = writer.running.node.chain.head;
  const seconds = timestampToMs(timestamp) / 1_000;
  assert.equal((await figures(writer.url)).get('netd_last_block_timestamp_seconds'), seconds);
  const { following } = (await healthOf(url)) as { following: JsonObject };
  const { active, backoff, banned } = following['origins'] as Record<string, number>;
  // An origin that is down alternates between active and backoff.
  assert.deepEqual([following['behind'], (active ?? 0) + (backoff ?? 0), banned], [0, 2, 1]);

  // Announces blocks, but answers none of them.
  const from = writer.height;
  slow.tamper = (path, document) =>
    Number(/^\/v1\/blocks\/(\d+)/.exec(path)?.[1] ?? 0) > from ? null : document;
  const late = await follow(t, [slow.url]);
  await until(async () => (await figures(late)).get('netd_height') === from);
  await writer.join('bob');
  await until(async () => ((await figures(late)).get('netd_behind_blocks') ?? 0) > 0);

  // A writer has no origins.
  const own = await figures(writer.url);
  assert.deepEqual(
    ['netd_behind_blocks', 'netd_halted'].map((name) => own.has(name)),
    [false, false],
  );
  assert.equal('following' in (await healthOf(writer.url)), false);

  isUp = false;
  await writer.stop();
  const noOrigin = 'netd_health_issue{kind="no-origin"}';
  await until(async () => (await figures(url)).get(noOrigin) === 1);
  // Keeps the last known lag if no origin answers, so that its alarm still has a value.
  assert.equal((await figures(url)).get('netd_behind_blocks'), 0);
  const alone = (await healthOf(url)) as { following: JsonObject; faults: string[] };
  assert.equal(alone.following['behind'], null);
});
