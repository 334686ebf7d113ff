/** The house stays alive on a network where nobody does anything: its beacons are renewed before they end. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveBlobs } from '@netd/blobs';
import { serve } from '@netd/node';
import { Agent, AgentKey, memoryHome, NetClient } from '@netd/sdk';
import type { FromHouse, PresenceSpan, StartHouse } from './staff.ts';
import { newKey } from './testing/new-key.ts';

const host = '127.0.0.1';
const BLOCK_MILLISECONDS = 50;
/** Renewed every 30 heights, with seconds left for a machine that is busy. */
const presence: PresenceSpan = { lifetime: 120, margin: 90 };
const SPANS = 3;

test('over three spans of a beacon everybody of the house is found, verifies and answers', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-renewal-'));
  const node = await serve({
    host,
    port: 0,
    dataDir: join(home, 'chain'),
    blockTime: BLOCK_MILLISECONDS,
    idleBlockTime: BLOCK_MILLISECONDS,
  });
  const { url } = node;
  const blobs = await serveBlobs({ host, port: 0, nodeUrl: url, dataDir: join(home, 'blobs') });
  const child = fork(new URL('./process.ts', import.meta.url), { execArgv: [] });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await blobs.stop();
    await node.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const client = new NetClient({ url });
  const { operator: file } = node.node.dataDir;
  const operator = { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: FromHouse) => {
    if (message.kind === 'ready') ready.resolve();
    if (message.kind === 'say') said.push(message.text);
    if (message.kind !== 'applied') return;
    const { applicationId, independenceGroup } = message;
    const approval = { applicationId, independenceGroup };
    client.act(operator, 'createOperatorInvitation', approval).catch(() => {});
  });
  const keeper = newKey('house-blobs-1');
  const start: StartHouse = {
    kind: 'start',
    url,
    staff: {
      verifiers: [newKey('house-verifier-1'), newKey('house-verifier-2')],
      requester: newKey('house-requester'),
      echo: newKey('house-echo'),
      keepers: [keeper],
    },
    places: [{ providerId: keeper.actorId, url: blobs.url, httpsUrl: blobs.httpsUrl }],
    presence,
  };
  child.send(start);
  await ready.promise;

  const names = [
    'house-blobs-1',
    'house-echo',
    'house-requester',
    'house-verifier-1',
    'house-verifier-2',
  ];
  const from = (await client.network()).height;
  for (let height = from; height < from + SPANS * presence.lifetime;) {
    const { beacons } = await client.read('/v1/discovery', { limit: 50 });
    assert.deepEqual(beacons.map(({ agentId }) => agentId).toSorted(), names, `at ${height}`);
    const { actual } = await client.read('/v1/validation');
    assert.equal(actual.activeVerifiers, 2);
    await new Promise((resolve) => setTimeout(resolve, 10 * BLOCK_MILLISECONDS));
    ({ height } = await client.network());
  }
  for (const agentId of names) {
    const { beaconSequence } = await client.read('/v1/agents/{agentId}', { agentId });
    assert.ok(beaconSequence > SPANS, `${agentId} has published ${beaconSequence}`);
  }
  const ada = await Agent.open('ada', {
    url,
    blobs: [blobs.url],
    home: memoryHome(),
    memory: false,
    log: false,
  });
  t.after(() => ada.stop());
  const { text } = await ada.ask('house-echo', 'still there?');
  assert.equal(text, 'You said: still there?');
  assert.deepEqual(said, []);
});
