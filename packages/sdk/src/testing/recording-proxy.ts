/** A proxy before a real node that records requests, and answers them itself if the test says so. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Recorded {
  method: string;
  path: string;
  body: string;
}

/**
 * Decides about a request. An answer replaces the node's; `lost` passes the request on but drops the answer; undefined
 * changes nothing.
 */
export type Interference = (
  request: Recorded,
) => { status: number; headers?: Record<string, string>; body?: string } | 'lost' | undefined;

export class RecordingProxy {
  readonly url: string;
  readonly requests: Recorded[] = [];
  interfere: Interference = () => undefined;
  private readonly target: string;
  private readonly server: Server;

  private constructor(server: Server, target: string) {
    this.server = server;
    this.target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(target: string): Promise<RecordingProxy> {
    const server = createServer((request, response) => {
      void (async () => {
        const answer = await proxy.answer(request);
        if (answer === null) request.socket.destroy();
        else response.writeHead(answer.status, answer.headers).end(answer.body);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new RecordingProxy(server, target);
    return proxy;
  }

  /** `GET /v1/network` and the like, since the last time. */
  taken(): string[] {
    return this.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers: Record<string, string>; body: string } | null> {
    const body = (await buffer(request)).toString();
    const recorded = { method: String(request.method), path: String(request.url), body };
    this.requests.push(recorded);
    const instead = this.interfere(recorded);
    if (instead !== undefined && instead !== 'lost') return { headers: {}, body: '', ...instead };
    const answer = await fetch(this.target + recorded.path, {
      method: recorded.method,
      ...(recorded.method === 'POST'
        ? { body, headers: { 'content-type': 'application/json' } }
        : {}),
    });
    const text = await answer.text();
    return instead === 'lost' ? null : { status: answer.status, headers: {}, body: text };
  }
}
