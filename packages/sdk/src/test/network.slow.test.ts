/** Networks for tests: alive in a moment, alone, obeyed by time, and gone whatever happens. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UNET_PER_NET } from '@netd/protocol';
import { NetClient } from '../index.ts';
import { findNetd } from './find-netd.ts';
import { labKey, NetworkStartError, startNetwork, type Network } from './index.ts';

const NETD = fileURLToPath(new URL('../../../cli/bin/netd.mjs', import.meta.url));

describe('a network', () => {
  let network: Network;
  before(async () => {
    network = await startNetwork({
      netd: NETD,
      agents: { ada: { actions: ['createWorkOrder'] }, bob: { funded: '2.5 NET' } },
      funded: '7 NET',
    });
  });
  after(() => network.stop());

  test('has agents under the keys of the seed, with money and what they asked for', async () => {
    assert.equal(await network.balance('ada'), 7 * UNET_PER_NET);
    assert.equal(await network.balance('bob'), 2.5 * UNET_PER_NET);
    const { agent } = await network.client.read('/v1/agents/{agentId}', { agentId: 'ada' });
    assert.equal(agent.publicKeyHash, labKey('ada').publicKeyHash);
    const bob = network.actor('bob');
    await network.client.act(bob, 'extendAgentCapabilities', { actions: ['transfer'] });
    await network.client.act(bob, 'transfer', { to: 'ada', amount: 500_000 });
    assert.equal(await network.balance('bob'), 2 * UNET_PER_NET);
    assert.throws(() => network.actor('nobody'), /has not joined/);
  });

  test('obeys: blocks, time, and what waits for them', async () => {
    const { height } = await network.status();
    assert.equal((await network.mine(5)).height, height + 5);
    const orderId = 'never-taken';
    await network.client.act(network.actor('ada'), 'createWorkOrder', {
      orderId,
      title: 'Nobody takes this',
      jobType: 'general',
      funding: UNET_PER_NET,
      scopeHash: 'ab'.repeat(32),
      acceptWithin: { heights: 5, milliseconds: 3_600_000 },
    });
    const { clock } = await network.status();
    const moved = await network.advance(3_601, { blocks: 6 });
    assert.ok(Date.parse(moved.timestamp) - Date.parse(clock) >= 3_600_000);
    const { order } = await network.client.read('/v1/work-orders/{orderId}', { orderId });
    assert.deepEqual([order.status, order.reason], ['REJECTED', 'ACCEPTANCE_TIMEOUT']);
    await assert.rejects(network.advanceTo('2020-01-01'), { code: 'LAB_CLOCK_BACKWARDS' });
  });

  test('waits for mining where it is told to', async () => {
    await network.mode('none');
    const earlier = await network.balance('ada');
    const act = network.client.act(network.operator, 'transfer', { to: 'ada', amount: 1 });
    // What has not arrived when a block is made comes with one of the next.
    const mined = async (): Promise<null> => {
      await network.mine();
      return null;
    };
    while ((await Promise.race([act, mined()])) === null);
    assert.equal(await network.balance('ada'), earlier + 1);
    await network.mode('each');
  });

  test('has agents that remember, under one key in each start', async () => {
    const ada = await network.agent('ada', { beacon: false, memory: false });
    assert.equal(ada.agentId, 'ada');
    await ada.stop();
    const again = await network.agent('ada', { beacon: false, memory: false });
    await again.act('transfer', { to: 'bob', amount: 1 });
  });

  test('is alone: two networks know nothing of each other', async () => {
    const other = await startNetwork({ netd: NETD, agents: ['ada'], seed: 'another' });
    try {
      assert.notEqual(other.chainId, network.chainId);
      assert.notEqual(other.actor('ada').key.publicKey, network.actor('ada').key.publicKey);
      await other.mine(3);
      assert.equal(await other.balance('ada'), 100 * UNET_PER_NET);
    } finally {
      await other.stop();
    }
    await assert.rejects(new NetClient({ url: other.url }).network());
    assert.equal((await network.client.network()).chainId, network.chainId);
  });
});

test('agents that run go on at any time, day after day', async () => {
  const network = await startNetwork({
    netd: NETD,
    house: true,
    agents: { rita: { actions: ['createWorkOrder', 'cancelWorkOrder'] }, gilda: {} },
  });
  try {
    const rita = await network.agent('rita');
    const gilda = await network.agent('gilda', { capabilities: ['naming'] });
    const paid: string[] = [];
    gilda.on('paid', ({ orderId }) => paid.push(orderId));
    gilda.onWork(({ scope }) => JSON.stringify(`${scope.title}: Ada.`));
    const running = gilda.run();
    for (const id of ['name-1', 'name-2', 'name-3']) {
      await rita.hire({
        id,
        title: 'A name for it',
        instructions: 'One line.',
        deliverable: { mediaType: 'application/json', maxBytes: 100 },
        acceptance: [{ kind: 'json-schema', schema: { type: 'string', maxLength: 100 } }],
        jobType: 'naming',
        requirements: ['naming'],
        funding: '10 NET',
      });
      await network.event('WorkVerified', { order: id });
      // What does not settle by itself in this time does so in the next.
      await network.advance(86_400, { blocks: 20 });
      await network.event('WorkOrderPaid', { order: id });
    }
    const answer = await rita.ask('house-echo', 'Is anybody there, the day after tomorrow?');
    assert.match(answer.text, /the day after tomorrow/);
    await gilda.stop();
    await running;
    assert.deepEqual(paid.toSorted(), ['name-1', 'name-2', 'name-3']);
    assert.deepEqual((await network.client.read('/health')).faults, []);
  } finally {
    await network.stop();
  }
});

const CRASHES = `
  const { startNetwork } = await import(process.argv[1]);
  const { lab, url } = await startNetwork({ netd: process.argv[2], agents: ['ada'] });
  console.log(JSON.stringify({ url, dataDir: lab.facts.dataDir }));
  setInterval(() => {}, 1_000);`;

test('ends with its test, though that is killed', async () => {
  const module = new URL('index.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', CRASHES, module, NETD];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, dataDir } = JSON.parse(line) as { url: string; dataDir: string };
  assert.ok(existsSync(dataDir));
  child.kill('SIGKILL');
  // It is gone when its folder is, and its port before that.
  while (existsSync(dataDir)) await new Promise((resolve) => setTimeout(resolve, 20));
  await assert.rejects(fetch(url));
});

describe('a network that cannot start says', () => {
  test('where netd is not', async () => {
    await assert.rejects(startNetwork({ netd: '/no/such/netd' }), (error: Error) => {
      assert.ok(error instanceof NetworkStartError);
      assert.match(error.message, /\/no\/such\/netd, which the option netd names/);
      return true;
    });
  });

  test('what the program said', async () => {
    await assert.rejects(startNetwork({ netd: process.execPath }), /netd ended with .*dev/s);
  });

  test('and finds the one of the environment before any other', (t) => {
    const { NETD: earlier } = process.env;
    t.after(() => {
      if (earlier === undefined) delete process.env['NETD'];
      else process.env['NETD'] = earlier;
    });
    process.env['NETD'] = NETD;
    assert.equal(findNetd(), NETD);
    process.env['NETD'] = '/no/such';
    assert.throws(() => findNetd(), /the environment variable NETD names/);
    delete process.env['NETD'];
    assert.match(findNetd(), /netd/);
  });
});
