/** Compares a node's paths with a bare Fastify route for the same bytes, in alternating turns. */
import type { BareRoute } from './bare-route.ts';
import { getRequest, HttpConnection } from './http-connection.ts';
import { openConnections, rateOf, startLoadGenerator, troubles } from './load.ts';
import { RemoteProgram } from './remote-program.ts';

const CONNECTIONS = 32;

export interface BareComparison {
  path: string;
  bytes: number;
  /** Successful requests per second in each turn. */
  turns: { rate: number; bareRate: number }[];
}

/**
 * Runs an extra turn first as warm-up.
 * @param resolve completes a path right before it is read
 */
export async function compareWithBareRoute(
  port: number,
  paths: readonly string[],
  {
    turns,
    requestsFor,
    resolve = (path) => Promise.resolve(path),
    plugins = false,
  }: {
    turns: number;
    requestsFor: (bytes: number) => number;
    resolve?: (path: string) => Promise<string>;
    /** True to give the bare server the common plugins. */
    plugins?: boolean;
  },
): Promise<BareComparison[]> {
  const bare = new RemoteProgram<BareRoute>(new URL('bare-route.ts', import.meta.url));
  const load = startLoadGenerator();
  try {
    const connection = await HttpConnection.open(port);
    const barePort = await bare.call('listen', { plugins });
    await openConnections(load, 'node', { port, connections: CONNECTIONS });
    await openConnections(load, 'bare', { port: barePort, connections: CONNECTIONS });
    const read = async (group: string, path: string, requests: number): Promise<number> => {
      const report = await load.call('read', { group, path, requests });
      const trouble = troubles([report]);
      if (Object.keys(trouble).length > 0) {
        throw new Error(`${group} ${path}: ${JSON.stringify(trouble)}`);
      }
      return rateOf(report);
    };
    const comparisons: BareComparison[] = [];
    for (const path of paths) {
      const resolved = await resolve(path);
      const { status, body } = await connection.send(getRequest(resolved));
      if (status !== 200) throw new Error(`${resolved} answers ${status}: ${body.toString()}`);
      await bare.call('put', { document: body });
      const requests = requestsFor(body.length);
      const comparison: BareComparison = { path, bytes: body.length, turns: [] };
      for (let turn = 0; turn <= turns; turn++) {
        const rate = await read('node', resolved, requests);
        const bareRate = await read('bare', '/document', requests);
        if (turn > 0) comparison.turns.push({ rate, bareRate });
      }
      comparisons.push(comparison);
    }
    connection.close();
    return comparisons;
  } finally {
    await load.stop();
    await bare.stop();
  }
}
