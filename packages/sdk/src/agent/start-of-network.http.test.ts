/** The first seconds of a network: the node answers, but blob stores and other agents start later. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serveBlobs } from '@netd/blobs';
import { until } from '@netd/protocol/testing';
import { freePort } from '@netd/testkit/free-port';
import { RecordingProxy } from '../testing/recording-proxy.ts';
import { Agent, type AgentOptions } from './agent.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage();

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options({ blobs: [], ...options }));
  t.after(() => agent.stop());
  return agent;
}
const beacons = async (agentId: string): Promise<number> =>
  (await staged.world.events('BeaconPublished')).filter((data) => data['agentId'] === agentId)
    .length;

test('warns once about a network without stores, and stops without waiting for one', async (t) => {
  const lines: string[] = [];
  const agent = await open(t, 'hasty', { log: (line) => lines.push(line) });
  agent.memory.set('seen', 1);
  const run = agent.run();
  const commit = assert.rejects(agent.memory.commit(), { code: 'MEMORY_NEEDS_REPLICAS' });
  const told = once(agent, 'warning', ({ code }) => code === 'BLOB_ORIGIN_UNKNOWN');
  await agent.stop();
  await Promise.all([run, commit, Promise.race([told, run])]);
  assert.equal(
    lines.filter((retryingClient) => retryingClient.includes('stores for blobs')).length <= 2,
    true,
  );
});

test('a store that is away keeps no agent from opening, and gets what its beacon says once it is there', async (t) => {
  const port = await freePort();
  const warnings: string[] = [];
  const times: number[] = [];
  const agent = await open(t, 'unhoused', {
    blobs: [`http://127.0.0.1:${port}`],
    log: (line) => {
      warnings.push(line);
      times.push(performance.now());
    },
  });
  assert.match(warnings.join('\n'), /^warning {2}code: BLOB_NOT_STORED, message: the beacon: .*$/);
  void agent.run();
  // Tried as the work begins, and then not without a pause.
  await until(() => warnings.length > 1);
  await setTimeout(1_000);
  const [, second = 0, third = Infinity] = times;
  assert.ok(third - second >= 1_000, warnings.join('\n'));
  assert.equal(await beacons('unhoused'), 0);
  const { home, node } = staged.world;
  const place = { host: '127.0.0.1', port, dataDir: join(home, 'late'), nodeUrl: node.url };
  const late = await serveBlobs(place);
  t.after(() => late.stop());
  while ((await beacons('unhoused')) === 0) await setTimeout(100);
});

test('places and keys that come some seconds later are waited for', async (t) => {
  const lines: string[] = [];
  const early = await open(t, 'early', { log: (line) => lines.push(line) });
  const echo = await open(t, 'echo', { log: false });
  echo.onMessage(({ text }) => text.toUpperCase());
  early.memory.set('seen', 1);
  const waiting = once(early, 'waiting');
  const committed = early.memory.commit();
  const stored = early.store('kept as soon as somebody keeps');
  const answered = early.ask('echo', 'anybody?', { timeout: 600_000 });
  assert.deepEqual(await waiting, { for: 'stores for blobs' });
  assert.equal(await beacons('early'), 0);
  await staged.world.announceBlobs();
  await Promise.all([committed, stored]);
  assert.equal(early.memory.generation, 1);
  // Its beacon, which has the key to seal to, comes last of all.
  void echo.run();
  assert.equal((await answered).text, 'ANYBODY?');
  assert.deepEqual([await beacons('early'), await beacons('echo')], [1, 1]);
  assert.doesNotMatch(lines.join('\n'), /warning/);
});

test('an answer of a proxy settles nothing: the same envelope goes on', async (t) => {
  const proxy = await RecordingProxy.before(staged.world.node.url);
  t.after(() => proxy.close());
  const agent = await open(t, 'behind-a-proxy', { url: proxy.url, log: false });
  const sent = (): string[] =>
    proxy.requests.filter(({ path }) => path === '/v1/intents').map(({ body }) => body);
  const [payload, id] = [{ agentId: agent.agentId, actions: ['faucet' as const] }, { id: 'mine' }];
  proxy.requests.length = 0;
  const bodies = ['{"code":"PORTAL_LOGIN","detail":"Log in first."}', '<html>'];
  proxy.interfere = ({ path }) => {
    const body = path === '/v1/intents' ? bodies.shift() : undefined;
    return body === undefined ? undefined : { status: 403, body };
  };
  await assert.rejects(agent.act('extendAgentCapabilities', payload, id), { status: 403 });
  // The page is no answer of a node, so this act retries by itself.
  await agent.act('extendAgentCapabilities', payload, id);
  assert.deepEqual(bodies, []);
  assert.equal(sent().length, 3);
  assert.equal(new Set(sent()).size, 1);
  await assert.rejects(agent.act('faucet', { amount: 0 }, { id: 'none' }), {
    code: 'PAYLOAD_INVALID',
  });
  await assert.rejects(agent.act('faucet', { amount: 0 }, { id: 'none' }), {
    code: 'PAYLOAD_INVALID',
  });
  const nonces = new Set(sent().map((body) => (JSON.parse(body) as { nonce: string }).nonce));
  assert.equal(nonces.size, 2, 'a refusal may be a lie: a repeated request keeps its nonce');
});

test('a beacon that was signed before the process died counts before the next one is numbered', async (t) => {
  const dead = new Error('the process dies here');
  const reach: AgentOptions['reach'] = (name, action) => {
    if (name === 'act.signed' && action === 'publishBeacon') throw dead;
  };
  await open(t, 'reborn').then((agent) => agent.stop());
  const changed = { capabilities: ['summaries'] };
  await assert.rejects(open(t, 'reborn', { ...changed, reach }), dead);
  // It says something else by now: the one on disk is on its way all the same.
  const agent = await open(t, 'reborn', { capabilities: ['translation'] });
  const { beaconSequence, beacon } = await agent.client.read('/v1/agents/{agentId}', {
    agentId: 'reborn',
  });
  assert.equal(beaconSequence, 3);
  assert.deepEqual(beacon?.['capabilities'], ['translation']);
});
