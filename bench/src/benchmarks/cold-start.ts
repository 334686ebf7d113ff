/** From process start to first answer: large state, no state, and bare Fastify, in alternating turns. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchmarkResult } from '../benchmark.ts';
import { cpuTimeOf } from '../cpu-time.ts';
import { getRequest, HttpConnection } from '../http-connection.ts';
import { median, spread } from '../measure.ts';
import { startNetd, startServer, type ServerProcess } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

/** Each has four pairs: authority, key, record, account. */
const AGENTS = 75_000;
const TURNS = 7;
const BARE_SERVER = fileURLToPath(new URL('../bare-server.ts', import.meta.url));
const DOCUMENT = '/v1/agents?limit=1';

interface Start {
  /** Milliseconds to the first answer. */
  answer: number;
  /** Milliseconds to the first document from the state. */
  document: number;
  /** Milliseconds of CPU time of all threads by then. */
  cpu: number;
}

export async function coldStart(directory: string): Promise<BenchmarkResult[]> {
  const [full, empty] = [join(directory, 'full'), join(directory, 'empty')];
  await StateBuilder.build(full, (state) => state.registerRange(0, AGENTS));
  await StateBuilder.build(empty, async () => {});
  // Starts like netd's launcher, so that both use a warm compile cache.
  const startBare = (): Promise<ServerProcess> =>
    startServer((port) => [BARE_SERVER, String(port)], {
      environment: { NODE_COMPILE_CACHE: join(directory, 'compiled') },
    });
  const turns: { full: Start; empty: Start; bare: Start }[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    turns.push({
      full: await measureStart(() => startNetd(full), DOCUMENT),
      empty: await measureStart(() => startNetd(empty), DOCUMENT),
      bare: await measureStart(startBare, '/livez'),
    });
  }
  // The first turn warms the file and compile caches.
  const measured = turns.slice(1);
  const byState = measured.map((turn) => turn.full.answer / turn.empty.answer);
  const byBare = measured.map((turn) => turn.full.answer / turn.bare.answer);
  const byBareCpu = measured.map((turn) => turn.full.cpu / turn.bare.cpu);
  const milliseconds = {
    withState: median(measured.map((turn) => turn.full.answer)),
    withNone: median(measured.map((turn) => turn.empty.answer)),
    bareFastify: median(measured.map((turn) => turn.bare.answer)),
    withStateToDocument: median(measured.map((turn) => turn.full.document)),
    withNoneToDocument: median(measured.map((turn) => turn.empty.document)),
  };
  return [
    {
      name: 'cold start to the first answer with 300,000 state pairs ÷ with none',
      value: median(byState),
      unit: 'ratio',
      goal: { atMost: 1.2 },
      details: { ...milliseconds, ...spread(byState) },
    },
    {
      name: 'the same ÷ bare Fastify with the same plugins',
      value: median(byBare),
      unit: 'ratio',
      goal: { atMost: 3 },
      details: { cpuTime: median(byBareCpu), ...spread(byBare) },
    },
  ];
}

async function measureStart(start: () => Promise<ServerProcess>, path: string): Promise<Start> {
  const server = await start();
  try {
    const cpu = Object.values(cpuTimeOf(server.pid)).reduce((sum, time) => sum + time) / 1_000;
    const answeredAt = performance.now();
    const connection = await HttpConnection.open(server.port);
    const { status, body } = await connection.send(getRequest(path));
    if (status !== 200) throw new Error(`${path} answers ${status}: ${body.toString()}`);
    connection.close();
    return {
      cpu,
      answer: server.startTime,
      document: server.startTime + (performance.now() - answeredAt),
    };
  } finally {
    await server.kill('SIGTERM');
  }
}
