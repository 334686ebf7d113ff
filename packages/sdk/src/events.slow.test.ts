/** The event feed of a real node, over connections that break, hang and are refused. Slow: it waits before it comes back. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { freePort } from '@netd/testkit/free-port';
import { until } from '@netd/protocol/testing';
import { AgentKey } from './agent-key.ts';
import { NetClient } from './client.ts';
import type { EventsOptions, EventType, NetEvent } from './events.ts';

const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-events-'));
let running: RunningNode;
let client: NetClient;

before(async () => {
  running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  client = new NetClient({ url: running.url });
  await joinAs('first');
});
after(async () => {
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function joinAs(actorId: string): Promise<void> {
  await client.register({ actorId, key: await AgentKey.generate() });
}

/** The first events of a feed; `seen` is called at each. */
async function take(
  from: NetClient,
  count: number,
  options: EventsOptions = {},
  seen: (event: NetEvent, count: number) => Promise<void> | void = () => {},
): Promise<NetEvent[]> {
  const events: NetEvent[] = [];
  const signal = AbortSignal.timeout(120_000);
  for await (const event of from.events({ signal, ...options })) {
    events.push(event);
    await seen(event, events.length);
    if (events.length === count) break;
  }
  assert.equal(events.length, count, 'the events did not come');
  return events;
}

const agentsOf = (events: NetEvent[]): unknown[] =>
  events.map(({ data }) => ('agentId' in data ? data.agentId : undefined));

/** Lines between client and node that can be cut and held up. */
class Lines {
  readonly client: NetClient;
  readonly open = new Set<Socket>();
  opened = 0;
  holding = false;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    const { port } = server.address() as AddressInfo;
    this.client = new NetClient({ url: `http://127.0.0.1:${port}` });
  }

  static async lay(): Promise<Lines> {
    const server = createServer((near) => {
      lines.opened++;
      const far = connect(Number(new URL(running.url).port), '127.0.0.1');
      lines.open.add(near);
      near.on('data', (part) => far.write(part));
      far.on('data', (part) => {
        if (!lines.holding) near.write(part);
      });
      for (const [socket, peer] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.on('error', () => {});
        socket.on('close', () => {
          peer.destroy();
          lines.open.delete(near);
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const lines = new Lines(server);
    return lines;
  }

  cut(): void {
    for (const socket of this.open) socket.destroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

describe('the event feed', () => {
  test('tells the past from an id on, and then what happens', async () => {
    const events = await take(client, 2, { after: '0.0', type: 'AgentRegistered' }, (_, count) =>
      count === 1 ? joinAs('second') : undefined,
    );
    assert.deepEqual(agentsOf(events), ['first', 'second']);
    const { id, height, type } = events[0]!;
    assert.deepEqual([id.split('.')[0], type], [String(height), 'AgentRegistered']);
    const rest = await take(client, 1, { after: id, type: 'AgentRegistered' });
    assert.deepEqual(agentsOf(rest), ['second']);
    const one = await take(client, 1, { after: '0.0', agent: 'second' });
    assert.deepEqual(agentsOf(one), ['second']);
  });

  test('goes on after broken connections, without loss and without an event twice', async () => {
    const lines = await Lines.lay();
    try {
      const events = await take(
        lines.client,
        3,
        { after: '0.0', type: 'AgentRegistered' },
        async (_, count) => {
          if (count !== 2) return;
          lines.cut();
          await joinAs('third');
        },
      );
      assert.deepEqual(agentsOf(events), ['first', 'second', 'third']);
    } finally {
      lines.close();
    }
  });

  test('goes on over a restart of the node, without loss and without an event twice', async () => {
    const dataDir = join(directory, 'restarted');
    const options = { host: '127.0.0.1', port: await freePort(), dataDir, blockTime: 1 };
    let node = await serve(options);
    const own = new NetClient({ url: node.url });
    const enter = async (actorId: string) =>
      own.register({ actorId, key: await AgentKey.generate() });
    try {
      await enter('before');
      const events = await take(own, 3, { after: '0.0' }, async (_event, count) => {
        if (count !== 1) return;
        await enter('just-before');
        await node.stop();
        node = await serve(options);
        await enter('afterwards');
      });
      assert.deepEqual(agentsOf(events), ['before', 'just-before', 'afterwards']);
    } finally {
      await node.stop();
    }
  });

  test('resumes after a stored cursor in a new client and over a restart of the node, and on no other chain', async () => {
    const dataDir = join(directory, 'resumed');
    const options = { host: '127.0.0.1', port: 0, blockTime: 1 };
    let node = await serve({ ...options, dataDir });
    const enter = async (...actorIds: string[]) => {
      const own = new NetClient({ url: node.url });
      for (const actorId of actorIds) {
        await own.register({ actorId, key: await AgentKey.generate() });
      }
    };
    try {
      await enter('anna', 'bert');
      const [first] = await take(new NetClient({ url: node.url }), 1, { after: '0.0' });
      await node.stop();
      node = await serve({ ...options, dataDir });
      await enter('carl');
      const resumed = await take(new NetClient({ url: node.url }), 2, { since: first!.cursor });
      assert.deepEqual(agentsOf(resumed), ['bert', 'carl']);
      // The other node of this file has another genesis.
      await assert.rejects(client.events({ since: resumed[1]!.cursor }).next(), {
        code: 'CHAIN_REPLACED',
      });
    } finally {
      await node.stop();
    }
  });

  test('misses nothing from the moment it began, even before the first event', async () => {
    const lines = await Lines.lay();
    try {
      const feed = lines.client.events({ type: 'AgentRegistered' });
      // The height it starts from has been asked for, and then the stream.
      const { server } = running.app;
      const isAsked = new Promise<void>((resolve) => {
        server.on('request', function hear({ url }: IncomingMessage) {
          if (url?.startsWith('/v1/events') !== true) return;
          server.off('request', hear);
          resolve();
        });
      });
      const next = feed.next();
      await isAsked;
      lines.cut();
      await joinAs('fourth');
      const { value } = await next;
      assert.deepEqual(agentsOf([value as NetEvent]), ['fourth']);
      await feed.return();
    } finally {
      lines.close();
    }
  });

  test('leaves a connection on which nothing comes, not even a heartbeat', async () => {
    const lines = await Lines.lay();
    try {
      const options = { after: '0.0', type: 'AgentRegistered' as const, silence: 500 };
      const events = await take(lines.client, 5, options, async (_, count) => {
        if (count !== 4) return;
        lines.holding = true;
        await joinAs('fifth');
        setTimeout(() => (lines.holding = false), 1_000);
      });
      assert.deepEqual(agentsOf(events).at(-1), 'fifth');
      assert.ok(lines.opened > 1);
    } finally {
      lines.close();
    }
  });

  test('ends when the signal aborts, and closes its connection', async () => {
    const lines = await Lines.lay();
    try {
      const ending = new AbortController();
      const seen: NetEvent[] = [];
      for await (const event of lines.client.events({ after: '0.0', signal: ending.signal })) {
        seen.push(event);
        ending.abort();
      }
      assert.equal(seen.length, 1);
      await until(() => lines.open.size === 0);
      const none = await lines.client.events({ signal: AbortSignal.abort() }).next();
      assert.deepEqual(none, { done: true, value: undefined });
    } finally {
      lines.close();
    }
  });

  test('refuses what can never work', async () => {
    await assert.rejects(
      client.events({ after: '0.0', type: 'x'.repeat(65) as EventType }).next(),
      {
        code: 'PARAMETER_INVALID',
      },
    );
  });
});
