/** Serves the pages of the programs, counts the requests, and delays answers until a test releases them. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Pages {
  readonly url: string;
  /** Requests by path. */
  readonly asked: Record<string, number> = {};
  private readonly server: Server;
  private readonly held = new Map<string, (() => void)[]>();

  private constructor(server: Server) {
    this.server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', ({ url: path = '' }, response: ServerResponse) => {
      this.asked[path] = (this.asked[path] ?? 0) + 1;
      const answer = (): void => void response.end(path);
      const waiting = this.held.get(path);
      if (waiting) waiting.push(answer);
      else answer();
    });
  }

  static async open(): Promise<Pages> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Pages(server);
  }

  /** Makes the readers of a page wait until `release`. */
  hold(path: string): void {
    this.held.set(path, []);
  }

  release(path: string): void {
    for (const answer of this.held.get(path) ?? []) answer();
    this.held.delete(path);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
