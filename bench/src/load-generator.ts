/**
 * A load generator, a program of its own: groups of keep-alive connections, one request at a time on each, prepared
 * requests. What is refused is counted by its code, what fails by the way the connection ended.
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
  /** From the first request to the last answer. */
  seconds: number;
  succeeded: number;
  /** Answers that are no success, by the code in them, or by status. */
  refused: Counts;
  /** Connections that could not be opened or ended before their answer, by the reason. */
  failed: Counts;
  /** Of successful requests, in milliseconds; NaN of none. */
  latency: { median: number; p99: number };
}

/** Groups of open connections by name. */
const groups = new Map<string, HttpConnection[]>();
/** Names of groups that shall send nothing more. */
const ending = new Set<string>();

const calls = {
  /** Opens connections, so many at a time, and answers how many could not be opened and why. */
  open: async ({
    group,
    port,
    connections,
    atOnce = connections,
  }: {
    group: string;
    port: number;
    connections: number;
    atOnce?: number;
  }): Promise<Counts> => {
    const failed: Counts = {};
    const opened: HttpConnection[] = [];
    let left = connections;
    const opener = async (): Promise<void> => {
      while (left > 0) {
        left--;
        try {
          opened.push(await HttpConnection.open(port));
        } catch (error) {
          if (!(error instanceof ConnectionError)) throw error;
          increment(failed, error.code);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, opener));
    groups.set(group, opened);
    return failed;
  },

  /** Posts bodies: the first list over the first connection, one after the other, the second over the second. */
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

  /** Gets a path, or several in turn, so often over all connections together, or until `end` is called for the group. */
  read: ({
    group,
    path,
    requests = Infinity,
  }: {
    group: string;
    path: string | string[];
    requests?: number;
  }): Promise<LoadReport> => {
    const prepared = [path].flat().map(getRequest);
    let sent = 0;
    return run(group, () =>
      sent < requests ? (prepared[sent++ % prepared.length] ?? null) : null,
    );
  },

  end: ({ group }: { group: string }): void => {
    ending.add(group);
  },

  close: ({ group }: { group: string }): void => {
    for (const connection of groups.get(group) ?? []) connection.close();
    groups.delete(group);
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
    for (let turn = 0; !ending.has(group); turn++) {
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
  ending.delete(group);
  return {
    seconds: (lastAnswerAt - startedAt) / 1_000,
    succeeded: latencies.length,
    refused,
    failed,
    latency: { median: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  };
}

answerCalls(calls);
