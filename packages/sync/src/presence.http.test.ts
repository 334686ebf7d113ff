/** The heartbeats of a follower, and its life if they are refused. */
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@netd/protocol';
import { inCampaign, signEnvelope, testKey, until } from '@netd/protocol/testing';
import { systemClock, type Clock } from '@netd/engine';
import { serve, type RunningNode, type ServeFollowerOptions } from '@netd/node';
import { startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { startFork } from '@netd/testkit/forked-chain';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { WriteProxy } from '@netd/testkit/write-proxy';
import type { PresenceOptions } from './heartbeats.ts';

/** Shortens all timers. */
const FASTER = 20;
const fastClock: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() * FASTER,
  after: (milliseconds, callback) => systemClock.after(milliseconds / FASTER, callback),
};

interface Seen {
  nodes: { agentId: string; status: string; heartbeat: Record<string, unknown> }[];
}

type SeenFollower = RunningFollower & { refusals: (string | null)[] };

const NEVER = 100_000_000;

function presenceOf(
  actorId: string,
  chainId: string,
  declared: PresenceOptions['declared'] = {},
): PresenceOptions {
  const sign = (envelope: JsonObject): Promise<JsonObject> =>
    Promise.resolve(signEnvelope(testKey(actorId), envelope));
  return { key: { chainId, actorId, sessionId: null, sign }, declared, every: 200 };
}

async function follow(
  t: TestContext,
  origins: string[],
  presence: PresenceOptions,
  options: Partial<ServeFollowerOptions> = {},
): Promise<SeenFollower> {
  const refusals: (string | null)[] = [];
  const follower = await startFollower(t, origins, {
    clock: fastClock,
    presence: { ...presence, onRefused: (refusal) => refusals.push(refusal) },
    ...options,
  });
  return { ...follower, refusals };
}

async function documentAt<Document>(url: string, path: string): Promise<Document> {
  return (await (await fetch(url + path)).json()) as Document;
}

async function nodeAt(url: string, agentId: string): Promise<Seen['nodes'][number] | undefined> {
  const { nodes } = await documentAt<Seen>(url, '/v1/nodes');
  return nodes.find((node) => node.agentId === agentId);
}

describe('beside a writer', () => {
  let writer: HttpNode;
  let chainId: string;
  before(async () => {
    writer = await HttpNode.start();
    ({ chainId } = writer);
    await writer.join('alice');
  });
  after(() => writer.stop());

  const beats = (agentId: string): number => {
    const snapshot = writer.running.node.store.snapshot();
    const events = snapshot.eventsAfter(0, 100, `agent:${agentId}`);
    snapshot.close();
    return events.filter(({ type }) => type === 'NodeHeartbeatReceived').length;
  };

  test('lists a follower once, with its height and location, at no cost to its agent', async (t) => {
    await writer.join('fay');
    const declared = {
      endpoint: 'https://fay.example',
      region: 'eu-central',
      countryCode: 'AT',
      faultDomain: 'cellar',
    };
    const follower = await follow(t, [writer.url], presenceOf('fay', chainId, declared));
    await until(async () => (await nodeAt(follower.url, 'fay')) !== undefined);
    const seen = await nodeAt(follower.url, 'fay');
    assert.deepEqual(seen, await nodeAt(writer.url, 'fay'));
    assert.equal(seen?.status, 'LIVE');
    const { observedHeight, observedStateRoot } = seen.heartbeat;
    const { header } = await documentAt<{ header: { stateRoot: string } }>(
      follower.url,
      `/v1/blocks/${String(observedHeight)}`,
    );
    assert.equal(header.stateRoot, observedStateRoot);
    assert.deepEqual({ ...seen.heartbeat, ...declared }, seen.heartbeat);
    const { balance } = await documentAt<{ balance: number }>(writer.url, '/v1/accounts/fay');
    assert.equal(balance, 0);
    const { replicas } = await documentAt<{ replicas: JsonObject[] }>(writer.url, '/v1/replicas');
    const [replica] = replicas;
    assert.deepEqual(
      [replica?.['agentId'], replica?.['endpoint'], replica?.['status'], replica?.['protocols']],
      ['fay', 'https://fay.example', 'REPORTING', ['netd-http/1']],
    );
    const topology = await documentAt<{ distribution: { region: JsonObject } }>(
      writer.url,
      '/v1/topology',
    );
    assert.match(JSON.stringify(topology.distribution.region), /"eu-central","nodes":1/);
    // The follower sends nothing before it is due, not even after a restart.
    await delay(500);
    await follower.stop();
    const again = await follow(t, [writer.url], presenceOf('fay', chainId, declared), {
      dataDir: follower.node.dataDir.path,
    });
    await delay(500);
    assert.equal(beats('fay'), 1);
    await again.stop();
    // The follower declares another region now.
    await follow(t, [], presenceOf('fay', chainId, { ...declared, region: 'eu-west' }), {
      dataDir: follower.node.dataDir.path,
    });
    await until(() => beats('fay') === 2);
  });

  test('reports an unregistered agent, keeps following, and is listed once it is registered', async (t) => {
    const follower = await follow(t, [writer.url], presenceOf('gus', chainId));
    await until(() => follower.refusals.length > 0);
    assert.match(String(follower.refusals[0]), /ACTOR_UNKNOWN/);
    assert.match(follower.node.faults().join(), /does not see this follower: .*ACTOR_UNKNOWN/);
    await writer.join('hal');
    await until(() => follower.node.chain.height === writer.height);
    await writer.join('gus');
    await until(() => beats('gus') === 1);
    await until(() => follower.refusals.at(-1) === null);
    assert.deepEqual(follower.node.faults(), []);
  });

  test('one whose agent is revoked is refused, and asks ever more rarely', async (t) => {
    await writer.join('ivy');
    const { actorId } = writer.running.node.dataDir.operator;
    await writer.act(actorId, 'revokeAuthority', { actorId: 'ivy', reason: 'a test' });
    const proxy = await WriteProxy.before(writer.url);
    t.after(() => proxy.close());
    const follower = await follow(t, [proxy.url], presenceOf('ivy', chainId));
    await until(() => follower.refusals.length > 0);
    assert.match(String(follower.refusals[0]), /AUTHORITY_INACTIVE/);
    // 5 seconds, then 10, then 20 of its clock.
    await until(() => proxy.writes.length === 3);
    assert.equal(beats('ivy'), 0);
  });

  test(
    'an origin that asks for patience gets it, and the next one is asked meanwhile',
    inCampaign,
    async (t) => {
      await writer.join('kim');
      const busy = await WriteProxy.before(writer.url);
      t.after(() => busy.close());
      busy.intercept = (request, response) => {
        if (request.method !== 'POST') return false;
        response.writeHead(429, { 'retry-after': '86400' }).end('{"code":"RATE_LIMITED"}');
        return true;
      };
      const alone = await follow(t, [busy.url], presenceOf('kim', chainId));
      await until(() => alone.refusals.length > 0);
      assert.match(String(alone.refusals[0]), /RATE_LIMITED/);
      await delay(1_000);
      assert.equal(busy.writes.length, 1, 'a day of patience is ten minutes, and not a second');
      await alone.stop();
      const follower = await follow(t, [busy.url, writer.url], presenceOf('kim', chainId));
      await until(() => beats('kim') === 1);
      assert.deepEqual(follower.refusals, []);
    },
  );

  test('ignores false answers of an origin to a heartbeat', async (t) => {
    await writer.join('lea');
    const liar = await WriteProxy.before(writer.url);
    t.after(() => liar.close());
    const lies = [
      '{"receipt":{"height":9007199254740991}}',
      '{"receipt":null}',
      'null',
      '<html>',
      'x'.repeat(1_000_000),
    ];
    let told = 0;
    liar.intercept = (request, response) => {
      if (request.method !== 'POST' || told >= lies.length) return false;
      response.writeHead(201).end(lies[told++]);
      return true;
    };
    const follower = await follow(t, [liar.url], presenceOf('lea', chainId));
    await until(() => told > 0);
    // The first origin claims a height that never comes, and is believed until the envelope expires.
    for (let i = 0; i < 101; i++) await writer.join(`lea-${i}`);
    await until(() => beats('lea') === 1);
    assert.equal(told, lies.length);
    await until(() => follower.node.chain.height === writer.height);
  });

  test('an origin that says to have taken a heartbeat and keeps it is named, and another one asked', async (t) => {
    await writer.join('mona');
    const liar = await WriteProxy.before(writer.url);
    t.after(() => liar.close());
    liar.intercept = (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(201).end('{"receipt":{"height":1}}');
      return true;
    };
    const follower = await follow(t, [liar.url, writer.url], presenceOf('mona', chainId));
    await until(() => follower.refusals.length > 1);
    assert.equal(beats('mona'), 1);
    assert.deepEqual(follower.refusals, [
      `${liar.url} says that it has taken submitNodeHeartbeat 1, and the chain has it not`,
      null,
    ]);
  });

  test('sends valid heartbeats with a clock that is ten years ahead', inCampaign, async (t) => {
    await writer.join('mia');
    const now = (): number => systemClock.now() + 10 * 365 * 86_400_000;
    const follower = await follow(t, [writer.url], presenceOf('mia', chainId), {
      clock: { ...fastClock, now },
    });
    await until(async () => (await nodeAt(follower.url, 'mia'))?.status === 'LIVE');
    assert.deepEqual([follower.refusals, follower.node.faults()], [[], []]);
  });

  test('sends no heartbeat if it is far behind', inCampaign, async (t) => {
    await writer.join('ned');
    const slow = await WriteProxy.before(writer.url);
    t.after(() => slow.close());
    let first = 1;
    let asked = 0;
    slow.intercept = (request, response) => {
      const height = Number(/^\/v1\/blocks\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
      if (height <= first) return false;
      asked += 1;
      response.writeHead(503).end('{}');
      return true;
    };
    for (let i = 0; i < 40; i++) await writer.join(`crowd-${i}`);
    const follower = await follow(t, [slow.url], presenceOf('ned', chainId));
    await until(() => asked > 5);
    assert.ok(follower.node.chain.height <= first);
    assert.equal(slow.writes.length, 0);
    first = Infinity;
    await until(() => beats('ned') === 1);
  });

  test('a key of another chain, and a beacon that leads elsewhere, are refused in a sentence', async (t) => {
    await assert.rejects(follow(t, [writer.url], presenceOf('alice', 'net-other')), {
      name: 'FollowError',
      message: /the key of alice is one of net-other, and this node follows net-http-test/,
    });
    await writer.join('oda');
    await writer.act('oda', 'publishBeacon', {
      schema: 'NET-AGENT-BEACON/1',
      agentId: 'oda',
      indexable: true,
      endpoint: 'https://oda.example/a2a',
      capabilities: ['research'],
      protocols: ['a2a/1.0'],
      metadataHash: 'ab'.repeat(32),
      expiresAtHeight: writer.height + 4_000,
      sequence: 1,
    });
    const declared = { endpoint: 'https://follower.example' };
    const follower = await follow(t, [writer.url], presenceOf('oda', chainId, declared));
    const sentence = /leads to https:\/\/oda.example\/a2a: give the follower an/;
    await until(() => follower.refusals.some((refusal) => sentence.test(String(refusal))));
    assert.match(follower.node.faults().join(), sentence);
  });
});

test('sends no heartbeat after halting over a fork', async (t) => {
  const { writer, twin } = await startFork(t);
  const proxy = await WriteProxy.before(writer.url);
  t.after(() => proxy.close());
  const dataDir = tempDir(t);
  const { chainId } = writer.node.chain.identity;
  const follower = await follow(t, [proxy.url, twin.url], presenceOf('alice', chainId), {
    dataDir,
  });
  await until(() => follower.node.status.halted);
  const sent = proxy.writes.length;
  await delay(500);
  assert.equal(proxy.writes.length, sent);
  await follower.stop();
  const again = await follow(t, [proxy.url], presenceOf('alice', chainId), { dataDir });
  await delay(500);
  assert.equal(proxy.writes.length, sent);
  assert.ok(again.node.status.halted);
});

test('who has sent nothing for half an hour of the chain was there once', async (t) => {
  const dataDir = tempDir(t);
  let shift = 0;
  const start = (): Promise<RunningNode> =>
    serve({
      host: '127.0.0.1',
      port: 0,
      dataDir,
      blockTime: 1,
      idleBlockTime: shift === 0 ? NEVER : 10,
      clock: { ...systemClock, now: () => systemClock.now() + shift },
    });
  const first = await start();
  const { join } = await import('@netd/testkit/forked-chain');
  await join(first, 'pia');
  const { chainId } = first.node.chain.identity;
  const follower = await follow(t, [first.url], presenceOf('pia', chainId));
  await until(async () => (await nodeAt(first.url, 'pia'))?.status === 'LIVE');
  await follower.stop();
  await first.stop();
  shift = 31 * 60_000;
  const later = await start();
  t.after(() => later.stop());
  await until(async () => (await nodeAt(later.url, 'pia'))?.status === 'SILENT');
});
