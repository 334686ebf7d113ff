/** An agent before a node that is stopped, throttles, refuses its stream or has another clock. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { Agent } from './agent.ts';
import type { AgentHealth } from './health.ts';
import { stage } from './testing/staged.ts';
import type { World } from './testing/world.ts';

const staged = stage({ prepare: (world) => start(world) });
const faults = { throttles: false, isDeaf: false, skew: 0 };
let agent: Agent;

/** Passes requests on to the node, unless a fault is set. */
const proxy = createServer((asked, response) => {
  const { url = '', method = 'GET', headers } = asked;
  if (faults.throttles) {
    response.writeHead(429, { 'retry-after': '30' }).end();
    return;
  }
  const isStream = headers.accept === 'text/event-stream';
  if (faults.isDeaf && isStream) {
    response.writeHead(503).end();
    return;
  }
  const passed = request(staged.world.node.url + url, { method, headers }, (answer) => {
    const date = new Date(Date.now() + faults.skew).toUTCString();
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, date });
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  asked.pipe(passed);
});

async function start(world: World): Promise<void> {
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  agent = await Agent.open('patient', { ...world.options({ log: false }), url });
  agent.onWork(() => 'done');
  void agent.run();
}
after(async () => {
  await agent.stop();
  proxy.close().closeAllConnections();
});

const codesOf = ({ reasons }: AgentHealth): string[] => reasons.map(({ code }) => code);
const isWell = (): Promise<unknown> => until(async () => (await agent.health()).status === 'ok');

test('an agent says that it is well, and why it is not', async () => {
  await isWell();
  const { reasons: _, ...well } = await agent.health();
  const expected = { online: true, deaf: false, clockSkew: 0, throttled: null, behind: false };
  assert.deepEqual(well, { status: 'ok', ...expected });

  faults.throttles = true;
  const throttled = await agent.health();
  assert.deepEqual(codesOf(throttled), ['THROTTLED']);
  assert.ok(throttled.online);
  assert.ok(Date.parse(throttled.throttled ?? '') > Date.now() + 20_000);
  faults.throttles = false;
  await isWell();

  faults.skew = -3_600_000;
  const skewed = await agent.health();
  assert.deepEqual(codesOf(skewed), ['CLOCK_SKEWED']);
  assert.ok(Math.abs((skewed.clockSkew ?? 0) - 3_600_000) < 5_000);
  faults.skew = 0;

  faults.isDeaf = true;
  proxy.closeAllConnections();
  await until(async () => (await agent.health()).deaf);
  const [deaf] = (await agent.health()).reasons;
  assert.equal(deaf?.code, 'DEAF');
  assert.equal((await agent.health()).reasons[0]?.since, deaf?.since);
  faults.isDeaf = false;
  await isWell();
});

test('an agent notices that its node is away, and that it is back', async () => {
  await staged.world.stopNode();
  const away = await agent.health();
  assert.equal(away.status, 'degraded');
  assert.equal(away.online, false);
  assert.ok(codesOf(away).includes('NODE_AWAY'));
  await staged.world.restartNode();
  await isWell();
});

test('an agent that has stopped says so', async () => {
  await agent.stop();
  const stopped = await agent.health();
  assert.equal(stopped.status, 'stopped');
  assert.deepEqual(codesOf(stopped), ['STOPPED']);
});
