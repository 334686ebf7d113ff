/** A proxy that forwards requests to a real node, writes included, unless intercepted. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Answers a request itself and returns true, or leaves it to the node. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) => boolean;

export interface Write {
  path: string;
  body: Buffer;
  headers: IncomingMessage['headers'];
  /** The node's answer; null if it was not asked. */
  answer: Buffer | null;
}

export class WriteProxy {
  readonly url: string;
  readonly close: () => void;
  intercept: Intercept = () => false;
  /** Posted bodies in order. */
  readonly writes: Write[] = [];

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.close = close;
  }

  static async before(target: string): Promise<WriteProxy> {
    const server = createServer((request, response) => {
      void handle(request, response).catch(() => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = new WriteProxy(`http://127.0.0.1:${port}`, () => {
      server.close();
      server.closeAllConnections();
    });
    async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const { method = '', url: path = '', headers } = request;
      const write: Write = { path, body, headers, answer: null };
      if (method === 'POST') proxy.writes.push(write);
      if (proxy.intercept(request, response, body)) return;
      const answer = await fetch(target + path, {
        method,
        headers: { 'content-type': headers['content-type'] ?? '', accept: headers.accept ?? '' },
        ...(method === 'POST' ? { body } : {}),
      });
      write.answer = Buffer.from(await answer.arrayBuffer());
      for (const name of ['content-type', 'location', 'retry-after', 'x-request-id']) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.writeHead(answer.status).end(write.answer);
    }
    return proxy;
  }
}
