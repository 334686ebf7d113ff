/** A lying origin: a proxy that changes a real node's answers. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Changes a document. A returned string is sent unchanged; null breaks the connection. */
export type Tamper = (path: string, document: Record<string, never>) => unknown;

/** A liar's answer in place of a success. */
export class Answer {
  readonly status: number;
  readonly document: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, document: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.document = document;
    this.headers = headers;
  }
}

/** Forwards a stream until either side closes. */
async function pass(url: string, accept: string, response: ServerResponse): Promise<void> {
  const over = new AbortController();
  response.on('close', () => over.abort());
  const { status, body } = await fetch(url, { headers: { accept }, signal: over.signal });
  response.writeHead(status, { 'content-type': accept });
  for await (const part of body ?? []) response.write(part);
  response.end();
}

export class TamperingProxy {
  readonly url: string;
  tamper: Tamper = (_path, document) => document;
  /** True to change refusals too, as for made-up items that the node does not know. */
  changesRefusals = false;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(url: string): Promise<TamperingProxy> {
    const server = createServer((request, response) => {
      void (async () => {
        const path = String(request.url);
        const { method = 'GET' } = request;
        const type = request.headers.accept ?? '*/*';
        if (type === 'text/event-stream') return pass(url + path, type, response);
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        const sent = method === 'GET' ? {} : { body: Buffer.concat(parts) };
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(url + path, { method, headers, ...sent });
        const document = (await answer.json()) as Record<string, never>;
        const changed =
          answer.ok || proxy.changesRefusals ? await proxy.tamper(path, document) : document;
        if (changed === null) request.socket.destroy();
        else if (changed instanceof Answer) {
          response.writeHead(changed.status, changed.headers).end(JSON.stringify(changed.document));
        } else {
          const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
          response.writeHead(proxy.changesRefusals ? 200 : answer.status).end(text);
        }
      })().catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new TamperingProxy(server);
    return proxy;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
