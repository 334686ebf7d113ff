import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Returns true unless HTTP/1.1 names the host exactly once (RFC 9112 section 3.2). Node uses the first, but a
 * proxy may use the last.
 */
export function isHostAmbiguous({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

/** Compares tags strongly (RFC 9110 section 13.1.1). */
export function matches(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim() === etag);
}

/**
 * Returns the relative path to the root, such as `../`, which also works behind a proxy's path.
 * @param url as in the first line of the request
 */
export function pathToRoot(url: string): string {
  const slashes = (url.split('?', 1)[0] ?? '').split('/').length - 1;
  return slashes < 2 ? './' : '../'.repeat(slashes - 1);
}

export function wantsPage({ accept = '' }: IncomingMessage['headers']): boolean {
  return accept.includes('text/html') && !accept.includes('json');
}

/** Returns true if no type of answer is preferred. */
export function takesAnything({ accept = '*/*' }: IncomingMessage['headers']): boolean {
  return accept.trim() === '*/*';
}

/** Returns true for agents that prefer Markdown. Browsers never do. */
export function prefersMarkdown({ accept = '' }: IncomingMessage['headers']): boolean {
  const weights = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => text.startsWith('q='));
    weights.set(type, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const markdown = weights.get('text/markdown') ?? 0;
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0);
}

/** Handles `Expect` (RFC 9110 section 10.1.1). Bodies beyond the limit are not requested. */
export function meetExpectations(server: Server, bodyLimit: number): void {
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkExpectation', pass);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) response.writeContinue();
    pass(request, response);
  });
}
