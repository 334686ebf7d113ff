/** A proxy that changes the node's answers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** An altered answer. */
export interface Told {
  status: number;
  text: string;
}

/**
 * @param truth the real node's address
 * @param lie returns the altered answer
 * @returns the proxy's address
 */
export async function lyingNode(
  t: Pick<TestContext, 'after'>,
  truth: string,
  lie: (path: string, told: Told) => Told,
): Promise<string> {
  const liar = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '' } = request;
      const body = (await buffer(request)).toString();
      const headers = { 'content-type': 'application/json' };
      const post = method === 'POST' ? { method, body, headers } : {};
      const answer = await fetch(truth + url, post);
      const told = lie(url, { status: answer.status, text: await answer.text() });
      response.writeHead(told.status, headers).end(told.text);
    })();
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  t.after(() => liar.close().closeAllConnections());
  return `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
}
