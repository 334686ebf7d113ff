/**
 * A load generator process: groups of keep-alive connections with one request at a time. Counts refusals by code
 * and failures by reason.
 */
import { quantile } from './measure.ts';
import {
  codeOf,
  ConnectionError,
  getRequest,
  HttpConnection,
  postRequest,
} from './http-connection.ts';
import { increment, type Counts } from './counts.ts';
import { answerCalls } from './remote-program.ts';

export interface LoadReport {
  /** From first request to last answer. */
  seconds: number;
  succeeded: number;
  /** Unsuccessful answers by code or status. */
  refused: Counts;
  /** Connections that failed to open or ended before their answer, by reason. */
  failed: Counts;
  /** Milliseconds of successful requests; NaN if there were none. */
  latency: { median: number; p99: number };
}

/** Open connections by group. */
const groups = new Map<string, HttpConnection[]>();

const calls = {
  /** Opens connections, all at once, and returns failures by reason. */
  open: async ({
    group,
    port,
    connections,
  }: {
    group: string;
    port: number;
    connections: number;
  }): Promise<Counts> => {
    const failed: Counts = {};
    const opened: HttpConnection[] = [];
    const opening = Array.from({ length: connections }, async () => {
      try {
        opened.push(await HttpConnection.open(port));
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        increment(failed, error.code);
      }
    });
    await Promise.all(opening);
    groups.set(group, opened);
    return failed;
  },

  /** Posts bodies sequentially: one list per connection. */
  write: ({
    group,
    path,
    bodies,
  }: {
    group: string;
    path: string;
    bodies: string[][];
  }): Promise<LoadReport> => {
    const requests = bodies.map((list) => list.map((body) => postRequest(path, body)));
    return run(group, (connection, turn) => requests[connection]?.[turn] ?? null);
  },

  /**
   * Reads a path a number of times over all connections. `{n}` in it, or in the address of the client, becomes the
   * number of remaining requests.
   */
  read: ({
    group,
    path,
    requests,
    accept = '*/*',
    from,
  }: {
    group: string;
    path: string;
    requests: number;
    accept?: string;
    from?: string;
  }): Promise<LoadReport> => {
    const requestOf = (n: string): Buffer => {
      const client = from === undefined ? {} : { 'x-forwarded-for': from.replace('{n}', n) };
      return getRequest(path.replace('{n}', n), { accept, ...client });
    };
    const same = path.includes('{n}') ? null : requestOf('0');
    let left = requests;
    return run(group, () => (left-- > 0 ? (same ?? requestOf(String(left))) : null));
  },
};

export type LoadGenerator = typeof calls;

async function run(
  group: string,
  requestOf: (connection: number, turn: number) => Buffer | null,
): Promise<LoadReport> {
  const connections = groups.get(group) ?? [];
  const refused: Counts = {};
  const failed: Counts = {};
  const latencies: number[] = [];
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  const use = async (connection: HttpConnection, index: number): Promise<void> => {
    for (let turn = 0; ; turn++) {
      const request = requestOf(index, turn);
      if (request === null) return;
      const sentAt = performance.now();
      const { status, body } = await connection.send(request);
      lastAnswerAt = performance.now();
      if (status === 200 || status === 201) latencies.push(lastAnswerAt - sentAt);
      else increment(refused, codeOf({ status, body }));
    }
  };
  await Promise.all(
    connections.map((connection, index) =>
      use(connection, index).catch((error: unknown) => {
        if (!(error instanceof ConnectionError)) throw error;
        increment(failed, error.code);
      }),
    ),
  );
  return {
    seconds: (lastAnswerAt - startedAt) / 1_000,
    succeeded: latencies.length,
    refused,
    failed,
    latency: { median: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  };
}

answerCalls(calls);
