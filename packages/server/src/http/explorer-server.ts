/** Serves the explorer for another node, which the page then asks directly. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenFailure } from '@netd/client-limits';
import { byChain } from './cache-policy.ts';
import {
  explorerBuild,
  fileAt,
  ORIGINS_REFUSED,
  pageAt,
  pageHeaders,
  sendFile,
  sendingOf,
} from './explorer.ts';
import { namedOrigins, originsCookie } from './named-origins.ts';
import { escapeHtml } from './page.ts';

export class ServeExplorerError extends Error {
  override name = 'ServeExplorerError';
}

export interface ServedExplorer {
  url: string;
  stop: () => Promise<void>;
}

const OF_THE_NODE =
  /^\/(docs|downloads|simple|v1|openapi\.json|llms(?:-full)?\.txt|health)(?=[/?]|$)/;

/**
 * @param node address without a trailing slash
 * @throws ServeExplorerError without a build, or if the port is unavailable
 */
export async function serveExplorer(
  node: string,
  { host, port }: { host: string; port: number },
): Promise<ServedExplorer> {
  const { manifest } = explorerBuild();
  if (!manifest) {
    throw new ServeExplorerError(
      'this installation has no web interface: in a checkout, npm run build makes it',
    );
  }
  const meta = `\n    <meta name="netd-node" content="${escapeHtml(node)}" />`;
  const { origin } = new URL(node);
  const isPage = (path: string): boolean =>
    path === '/' || manifest.pages.some((name) => `${path}/`.startsWith(`/${name}/`));

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url = '/' } = request;
    const { pathname } = new URL(url, 'http://page.invalid');
    if (method === 'POST' && pathname === '/explorer-origins') {
      void nameOrigins(request, response);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      refuse(response, 405, `This server takes no writes. Send them to ${node}`);
      return;
    }
    const named = (): string[] => namedOrigins(headers.cookie).filter((one) => one !== origin);
    const page = isPage(pathname) ? pageAt(url, { meta }) : null;
    if (page) {
      const origins = [origin, ...named()];
      sendFile(headers, response, page, { policy: byChain, headers: pageHeaders(origins) });
      return;
    }
    const path = pathname.slice(1);
    const file = path.startsWith('explorer/') ? fileAt(path) : null;
    if (file) {
      sendFile(headers, response, file, sendingOf(path, named, [origin]));
    } else if (OF_THE_NODE.test(url)) {
      response.writeHead(302, { location: node + url, 'referrer-policy': 'no-referrer' }).end();
    } else {
      refuse(response, 404, `There is no such page. The node is at ${node}`);
    }
  };
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      refuse(response, 400, 'This is not the address of a page.');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const sentence = listenFailure(error, { host, port }, '--port');
      reject(sentence === null ? error : new ServeExplorerError(sentence, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MOST_BODY = 8_192;

async function nameOrigins(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const cookie = originsCookie(request.headers, await bodyOf(request));
  if (cookie === null) refuse(response, 400, ORIGINS_REFUSED);
  else response.writeHead(204, { 'set-cookie': cookie }).end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MOST_BODY) return null;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    .end(`${text}\n`);
}
