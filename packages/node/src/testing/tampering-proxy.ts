/** Stands between a client and a real node, and changes what the node answers: an origin that lies. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a document; a text is answered as it is, null breaks the connection. */
export type Tamper = (path: string, document: Record<string, never>) => unknown;

export class TamperingProxy {
  readonly url: string;
  tamper: Tamper = (_path, document) => document;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(url: string): Promise<TamperingProxy> {
    const server = createServer((request, response) => {
      void (async () => {
        const path = String(request.url);
        const answer = await fetch(url + path);
        const document = (await answer.json()) as Record<string, never>;
        const changed = answer.ok ? await proxy.tamper(path, document) : document;
        if (changed === null) request.socket.destroy();
        else {
          const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
          response.writeHead(answer.status).end(text);
        }
      })();
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
