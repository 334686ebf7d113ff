/** The house in a process of its own, killed again and again while it settles in, beside a node and places for blobs. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveBlobs } from '@netd/blobs';
import { serve } from '@netd/node';
import { AgentKey, NetClient, NetError } from '@netd/sdk';
import type { FromHouse, StartHouse } from './staff.ts';
import { newKey } from './testing/new-key.ts';

test('killed six times while it settles in, the house is there once, and then is still', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-house-'));
  const host = '127.0.0.1';
  const node = await serve({
    host,
    port: 0,
    dataDir: join(home, 'chain'),
    blockTime: 20,
    idleBlockTime: 100_000_000,
  });
  const place = { host, port: 0, nodeUrl: node.url };
  const services = await Promise.all(
    [1, 2].map((i) => serveBlobs({ ...place, dataDir: join(home, `blobs-${i}`) })),
  );
  t.after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await node.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const client = new NetClient({ url: node.url });
  const { operator: file } = node.node.dataDir;
  const operator = { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  const keepers = [newKey('house-blobs-1'), newKey('house-blobs-2')];
  const start: StartHouse = {
    kind: 'start',
    url: node.url,
    staff: {
      verifiers: [1, 2, 3].map((i) => newKey(`house-verifier-${i}`)),
      requester: newKey('house-requester'),
      echo: newKey('house-echo'),
      keepers,
    },
    places: services.map(({ url, httpsUrl }, i) => ({
      providerId: keepers[i]?.actorId ?? '',
      url,
      httpsUrl,
    })),
  };

  const said: string[] = [];
  const run = (onReady: () => void) => {
    const child = fork(new URL('./process.ts', import.meta.url), { execArgv: [] });
    t.after(() => child.kill('SIGKILL'));
    child.on('message', (message: FromHouse) => {
      if (message.kind === 'ready') onReady();
      if (message.kind === 'say') said.push(message.text);
      if (message.kind !== 'applied') return;
      const { applicationId, independenceGroup } = message;
      const payload = { applicationId, independenceGroup };
      client.act(operator, 'createOperatorInvitation', payload).catch((error: unknown) => {
        if (!(error instanceof NetError)) throw error;
      });
    });
    child.send(start);
    return child;
  };
  const height = async (): Promise<number> => (await client.network()).height;
  for (let round = 1; round <= 6; round++) {
    // Some blocks further each time: wherever it is by then.
    const until = (await height()) + round;
    const state = { ready: false };
    const child = run(() => (state.ready = true));
    for (let i = 0; i < 400 && !state.ready && (await height()) < until; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // And twice as far as it goes, the second time with nothing to do.
  let settled = 0;
  for (const again of [false, true]) {
    const ready = Promise.withResolvers<void>();
    const child = run(() => ready.resolve());
    await ready.promise;
    let before = -1;
    while (before !== (await height())) {
      before = await height();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    if (again) assert.equal(before, settled, 'a house that was complete has written something');
    settled = before;
    child.disconnect();
    await once(child, 'exit');
  }
  assert.deepEqual(said, []);

  const { events } = await client.read('/v1/events', { after: '0.0', limit: 1_000 });
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  assert.deepEqual(
    {
      joined: count('AgentRegistered'),
      drawn: count('FaucetPaid'),
      beacons: count('BeaconPublished'),
      applied: count('OperatorApplicationSubmitted'),
      approved: count('OperatorInvitationCreated'),
      installed: count('AuthorityInstalled'),
      offered: count('WorkOrderCreated'),
    },
    { joined: 7, drawn: 4, beacons: 7, applied: 3, approved: 3, installed: 3, offered: 3 },
  );
});
