/** A store that has what another one has, and takes nothing until it is let go. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export interface SlowStore {
  readonly url: string;
  isSlow: boolean;
  /** Milliseconds by which its clock is behind. */
  behindBy: number;
  /** Paths that it is too busy to answer. */
  readonly busyAt: Set<string>;
  /** Uploads it has accepted, by path. */
  readonly kept: Map<string, Buffer>;
  /** When each upload came, by path. */
  readonly asked: Map<string, number[]>;
}

/** @param behind the origin that answers if the store has nothing itself */
export async function slowStore(t: TestContext, behind: string): Promise<SlowStore> {
  const kept = new Map<string, Buffer>();
  const asked = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    response.setHeader('date', new Date(Date.now() - store.behindBy).toUTCString());
    const answer = async (): Promise<void> => {
      if (method === 'PUT') {
        const body = await buffer(request);
        asked.set(url, [...(asked.get(url) ?? []), performance.now()]);
        if (!store.isSlow) kept.set(url, body);
        response.writeHead(store.isSlow ? 503 : 201).end();
        return;
      }
      if (store.busyAt.has(url)) {
        response.writeHead(503).end();
        return;
      }
      const own = kept.get(url);
      const found = own ?? (await fetch(behind + url, { method: String(method) }));
      if (found instanceof Response) {
        response.writeHead(found.status).end(Buffer.from(await found.arrayBuffer()));
      } else response.writeHead(200).end(found);
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: SlowStore = { url, isSlow: true, behindBy: 0, busyAt: new Set(), kept, asked };
  return store;
}
