/** Networks for tests: alive in a moment, alone, obeyed by time, and gone whatever happens. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCampaign } from '@netd/protocol/testing';
import { UNET_PER_NET } from '@netd/protocol';
import { NetClient } from '../index.ts';
import { findNetd } from './find-netd.ts';
import { labKey, NetworkStartError, startNetwork, type Network } from './index.ts';

const NETD = fileURLToPath(new URL('../../../cli/bin/netd.mjs', import.meta.url));

test('a failing test prints the story of its order', async () => {
  const failing = fileURLToPath(new URL('testing/failing.ts', import.meta.url));
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', failing], {
    env: { ...env, NETD },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  await once(child, 'close');
  for (const line of [
    /The story of order house-research-1:/,
    /height \d+ {2}WorkOrderCreated {2}/,
    /height \d+ {2}WorkAccepted {2}.*workerId: gilda/,
    /gilda accepted/,
    /gilda step {2}step: read, outcome: recorded/,
    /gilda failed {2}attempt: 1, error: the handler has no idea/,
    /gilda step {2}step: read, outcome: known/,
    /as it has to/,
  ])
    assert.match(output, line);
});

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

  test('waits for `mine` in the mode none', async () => {
    await network.mode('none');
    const earlier = await network.balance('ada');
    const act = network.client.act(network.operator, 'transfer', { to: 'ada', amount: 1 });
    // An intent that arrives after a block was made goes into a later one.
    const mined = async (): Promise<null> => {
      await network.mine();
      return null;
    };
    while ((await Promise.race([act, mined()])) === null);
    assert.equal(await network.balance('ada'), earlier + 1);
    await network.mode('each');
  });

  test('goes back to a snapshot as often as wanted, also one within another', async () => {
    const [earlier, { height }] = [await network.balance('ada'), await network.status()];
    const gift = { to: 'ada', amount: 5 };
    const first = await network.snapshot();
    await network.client.act(network.operator, 'transfer', gift);
    const second = await network.snapshot();
    await network.client.act(network.operator, 'transfer', gift);
    await network.advance(86_400);
    assert.equal((await network.revert(second)).height, height + 1);
    assert.equal(await network.balance('ada'), earlier + 5);
    for (const _ of [1, 2]) {
      assert.equal((await network.revert(first)).height, height);
      assert.equal(await network.balance('ada'), earlier);
      await network.client.act(network.operator, 'transfer', gift);
      assert.equal(await network.balance('ada'), earlier + 5);
    }
    await assert.rejects(network.revert(second), { code: 'LAB_SNAPSHOT_UNKNOWN' });
  });

  test('takes its readers of events back with it', async () => {
    const id = await network.snapshot();
    const seen: string[] = [];
    const controller = new AbortController();
    const twice = Promise.withResolvers<void>();
    const reading = (async () => {
      const { signal } = controller;
      for await (const event of network.client.events({ after: '0.0', agent: 'eve', signal })) {
        if (event.type === 'AgentRegistered' && seen.push(event.id) === 2) twice.resolve();
      }
    })();
    await network.join('eve', { funded: 0 });
    while (seen.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await network.revert(id);
    await network.join('eve', { funded: 0 });
    await twice.promise;
    controller.abort();
    await reading;
    assert.equal(seen[0], seen[1]);
  });

  test('impersonates any agent, on record, and the chain still verifies', async () => {
    const [ada, bob] = [await network.balance('ada'), await network.balance('bob')];
    const asAda = await network.impersonate('ada');
    await network.client.act(asAda, 'extendAgentCapabilities', { actions: ['transfer'] });
    await network.client.act(asAda, 'transfer', { to: 'bob', amount: 7 });
    assert.equal(await network.balance('ada'), ada - 7);
    assert.equal(await network.balance('bob'), bob + 7);
    // An unregistered actor and a wrong key are both refused.
    const nobody = await network.impersonate('nobody');
    await assert.rejects(network.client.act(nobody, 'transfer', { to: 'bob', amount: 1 }), {
      code: 'ACTOR_UNKNOWN',
    });
    const wrong = { actorId: 'ada', key: network.actor('bob').key };
    await assert.rejects(network.client.act(wrong, 'transfer', { to: 'bob', amount: 1 }), {
      code: 'SIGNATURE_INVALID',
    });
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

test('agents that run go on at any time, day after day', inCampaign, async () => {
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
    const hire = (id: string): Promise<unknown> =>
      rita.hire({
        id,
        title: 'A name for it',
        instructions: 'One line.',
        deliverable: { mediaType: 'application/json', maxBytes: 100 },
        acceptance: [{ kind: 'json-schema', schema: { type: 'string', maxLength: 100 } }],
        jobType: 'naming',
        requirements: ['naming'],
        funding: '10 NET',
      });
    for (const id of ['name-1', 'name-2', 'name-3']) {
      await hire(id);
      await network.event('WorkVerified', { order: id });
      // Work that does not settle in this span settles in the next.
      await network.advance(86_400, { blocks: 20 });
      await network.event('WorkOrderPaid', { order: id });
    }
    const answer = await rita.ask('house-echo', 'Is anybody there, the day after tomorrow?');
    assert.match(answer.text, /the day after tomorrow/);
    // A day that never was, and the next one: what runs goes on from there.
    await network.snapshot();
    await network.advance(2 * 86_400, { blocks: 20 });
    await network.revert();
    const { clock } = await network.status();
    await hire('name-4');
    const again = await network.event('WorkVerified', { order: 'name-4' });
    assert.ok(again.height > 0 && Date.parse(clock) - Date.now() < 4 * 86_400_000);
    await network.advance(86_400, { blocks: 20 });
    await network.event('WorkOrderPaid', { order: 'name-4' });
    while (paid.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    await gilda.stop();
    await running;
    assert.deepEqual(paid.toSorted(), ['name-1', 'name-2', 'name-3', 'name-4']);
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

  test('that with the Node beside it, if there is one', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'netd-beside-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const netd = join(folder, 'netd');
    writeFileSync(netd, '#!/usr/bin/env node\n', { mode: 0o755 });
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho beside >&2; exit 1\n', { mode: 0o755 });
    await assert.rejects(startNetwork({ netd }), /netd ended with 1: beside/);
  });

  test('that it took too long, and leaves nothing behind', async (t) => {
    const { TMPDIR: earlier } = process.env;
    const folder = mkdtempSync(join(tmpdir(), 'netd-late-'));
    t.after(() => {
      if (earlier === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = earlier;
      rmSync(folder, { recursive: true, force: true });
    });
    process.env['TMPDIR'] = folder;
    // It starts, and is never heard of.
    const mute = join(folder, 'mute');
    writeFileSync(mute, `#!/bin/sh\nexec ${NETD} "$@" > /dev/null\n`, { mode: 0o755 });
    await assert.rejects(
      startNetwork({ netd: mute, timeout: 2_000 }),
      /not started within 2000 ms/,
    );
    assert.deepEqual(readdirSync(folder), ['mute']);
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
