/** A proxy that forwards everything and tells one lie. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lie, ProxiedAnswer } from './lie.ts';

/** Connection and length headers, which the proxy sets itself. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];
/** Binary answers, forwarded unchanged. */
const FILES = /^application\/(?:gzip|zip|octet-stream)/;
const ENCODINGS = ['accept-encoding', 'content-encoding'];

export interface LyingProxy {
  url: string;
  /** Answers changed since `tell`. */
  liesTold: number;
  /** Sets the lie to tell; null for the truth. */
  tell(lie: Lie | null): void;
  close(): Promise<void>;
}

export async function startLyingProxy(nodeUrl: string): Promise<LyingProxy> {
  let lie: Lie | null = null;
  const proxy = {
    url: '',
    liesTold: 0,
    tell(next: Lie | null): void {
      lie = next;
      proxy.liesTold = 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const proxied = await ask(nodeUrl, request);
    if (lie?.tell(proxied)) proxy.liesTold++;
    response.writeHead(proxied.status, [...proxied.headers].flat());
    response.end(request.method === 'HEAD' ? undefined : (proxied.file ?? proxied.text));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

async function ask(nodeUrl: string, request: IncomingMessage): Promise<ProxiedAnswer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = 'GET', url: path = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (![...HOP_BY_HOP, ...ENCODINGS].includes(name)) headers.set(name, String(value));
  }
  const response = await fetch(nodeUrl + path, {
    method,
    headers,
    redirect: 'manual',
    ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
  });
  const answered = new Headers(response.headers);
  for (const name of [...HOP_BY_HOP, ...ENCODINGS]) answered.delete(name);
  const { status } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isFile = FILES.test(response.headers.get('content-type') ?? '');
  return {
    method,
    path,
    status,
    headers: answered,
    text: isFile ? '' : bytes.toString(),
    file: isFile ? bytes : null,
  };
}
