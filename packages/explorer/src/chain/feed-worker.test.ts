import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { lastEventId } from '@netd/protocol';
import type { FromFeedWorker, ToFeedWorker } from './feed-worker.ts';

const [OLD, NEW] = ['ab'.repeat(32), 'cd'.repeat(32)];

test(
  'a tab that follows one chain gets no event of another chain at the same address',
  { timeout: 20_000 },
  async (t) => {
    let connect: (event: { ports: MessagePort[] }) => void = () => undefined;
    Object.assign(globalThis, {
      addEventListener: (_: 'connect', listener: typeof connect) => (connect = listener),
    });
    t.after(() => Object.assign(globalThis, { addEventListener: undefined }));
    await import('./feed-worker.ts');

    const streams: ServerResponse[] = [];
    const server = createServer(({ headers: { accept } }, response) => {
      if (accept !== 'text/event-stream') {
        const network = { chainId: 'c', genesisHash: OLD, height: 0, blockHash: OLD };
        const page = { events: [], next: lastEventId(0), more: false };
        response.end(JSON.stringify({ ...network, ...page }));
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        server.emit('streaming', streams.push(response));
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tabs: MessagePort[] = [];
    const send = (tab: MessagePort, message: ToFeedWorker): void =>
      // Messages to a port have no target origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      tab.postMessage(message);
    t.after(() => {
      for (const tab of tabs) send(tab, { kind: 'leave' });
      for (const tab of tabs) tab.close();
      server.close();
      server.closeAllConnections();
    });

    /** Opens a tab that follows the chain of this genesis, and collects what the tab receives. */
    const follow = async (genesisHash: string): Promise<FromFeedWorker[]> => {
      const { port1, port2 } = new MessageChannel();
      tabs.push(port1);
      const received: FromFeedWorker[] = [];
      port1.addEventListener('message', ({ data }: MessageEvent<FromFeedWorker>) => {
        received.push(data);
        if (data.kind === 'event') server.emit('received');
      });
      port1.start();
      connect({ ports: [port2] });
      send(port1, { kind: 'join', start: { url, genesisHash, after: lastEventId(0) } });
      await once(server, 'streaming');
      return received;
    };
    const say = async (id: string): Promise<void> => {
      const event = { id, height: Number.parseInt(id, 10), type: 'Transferred', data: {} };
      const came = once(server, 'received');
      streams.at(-1)?.write(`id: ${id}\nevent: Transferred\ndata: ${JSON.stringify(event)}\n\n`);
      await came;
    };
    const old = await follow(OLD);
    await say('1.0');
    const fresh = await follow(NEW);
    await say('2.0');
    const idsOf = (received: FromFeedWorker[]): string[] =>
      received.flatMap((one) => (one.kind === 'event' ? [one.event.id] : []));
    assert.deepEqual([idsOf(old), idsOf(fresh)], [['1.0'], ['2.0']]);
  },
);
