import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface ListenAddress {
  host: string;
  port: number;
}

export interface Figures {
  contentType: string;
  text: string;
}

export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

const HEALTH = new Set(['/health', '/livez', '/readyz']);
const CONNECTIONS = 64;

/** @throws the system's error about the address */
export async function openMetricsListener(
  { host, port }: ListenAddress,
  app: FastifyInstance,
  figures: () => Promise<Figures>,
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) send(response, 405, 'text/plain', 'Only GET and HEAD are answered here.\n');
    else if (path === '/metrics') {
      figures().then(
        ({ contentType, text }) => send(response, 200, contentType, text),
        (error: unknown) => send(response, 500, 'text/plain', `${String(error)}\n`),
      );
    } else if (HEALTH.has(path)) {
      app.inject({ method: 'GET', url: path }).then(
        ({ statusCode, headers, body }) =>
          send(response, statusCode, String(headers['content-type']), body),
        (error: unknown) => send(response, 500, 'text/plain', `${String(error)}\n`),
      );
    } else {
      send(response, 404, 'text/plain', '/metrics, /health, /livez and /readyz are here.\n');
    }
  });
  server.maxConnections = CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
