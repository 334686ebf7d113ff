/**
 * Presigned intents over HTTP, one agent per connection, sent by another process on the same cores. Bare servers
 * that return the same bytes set the lower bound, in alternating turns.
 */
import { at, beaconIntent, beaconsByAgent, makeAgents } from '../agents.ts';
import type { BareAnswer, BareWrite } from '../bare-write.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { cpuResult, cpuTimeOf, cpuTimeSince, type CpuTurn } from '../cpu-time.ts';
import { HttpConnection, postRequest } from '../http-connection.ts';
import { openConnections, rateOf, startLoadGenerator, troubles, type Load } from '../load.ts';
import type { LoadReport } from '../load-generator.ts';
import { median, spread, yardstickDetails, YardstickTurns } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { RemoteProgram } from '../remote-program.ts';
import { StateBuilder } from '../states.ts';

const PATH = '/v1/intents';
/** With fewer connections, block time limits the figure: each waits for its block before sending again. */
const CONNECTIONS = 4_000;
/** Per connection, before measuring; enough for the engine to settle. */
const WARM_UP = 12;
const TURNS = 7;
/** Per connection. */
const INTENTS_PER_TURN = 4;

export async function httpWrites(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(CONNECTIONS);
  const height = await StateBuilder.build(directory, (state) => state.register(agents));
  const first = beaconIntent(at(agents, 0), height);
  const warmUp = beaconsByAgent(agents, WARM_UP, height);
  const turns = Array.from({ length: TURNS }, () =>
    beaconsByAgent(agents, INTENTS_PER_TURN, height),
  );
  const netd = await startNetd(directory);
  const load = startLoadGenerator();
  const withFastify = startBareWrite();
  const withNode = startBareWrite();
  try {
    const answer = await answerTo(netd.port, first);
    const node = new Rival(load, 'node', netd.pid);
    const fastify = new Rival(load, 'fastify', withFastify.pid);
    const plain = new Rival(load, 'none', withNode.pid);
    await openConnections(load, 'node', { port: netd.port, connections: CONNECTIONS });
    for (const [framework, program] of [
      ['fastify', withFastify],
      ['none', withNode],
    ] as const) {
      const port = await program.call('listen', { framework });
      await program.call('put', answer);
      await openConnections(load, framework, { port, connections: CONNECTIONS });
    }
    const rivals = [node, fastify, plain];
    for (const rival of rivals) await rival.write(warmUp);
    const yardstickTurns = new YardstickTurns();
    for (const bodies of turns) {
      for (const rival of rivals) await rival.takeTurn(yardstickTurns, bodies);
    }
    const trouble = troubles([...fastify.reports, ...plain.reports]);
    if (Object.keys(trouble).length > 0) throw new Error(JSON.stringify(trouble));
    return [
      {
        name: 'over HTTP: committed intents per second ÷ verifications per second of one core',
        value: median(node.ratios),
        unit: 'ratio',
        goal: { atLeast: 0.6 },
        details: {
          intentsPerSecond: median(node.reports.map(rateOf)),
          ...yardstickDetails(node.turns.map(({ yardstick }) => yardstick)),
          medianLatency: median(node.reports.map(({ latency }) => latency.median)),
          ...spread(node.ratios),
          ...troubles(node.reports),
        },
      },
      cpuResult('over HTTP', 0.9, node.turns),
      cpuResult('the same requests to a bare Fastify route', null, fastify.turns),
      cpuResult('the same requests to Node alone', null, plain.turns),
    ];
  } finally {
    await load.stop();
    await netd.kill('SIGTERM');
    await withFastify.stop();
    await withNode.stop();
  }
}

function startBareWrite(): RemoteProgram<BareWrite> {
  return new RemoteProgram<BareWrite>(new URL('../bare-write.ts', import.meta.url));
}

class Rival {
  readonly reports: LoadReport[] = [];
  readonly turns: CpuTurn[] = [];
  readonly ratios: number[] = [];
  private readonly load: Load;
  private readonly group: string;
  private readonly pid: number;

  constructor(load: Load, group: string, pid: number) {
    this.load = load;
    this.group = group;
    this.pid = pid;
  }

  write(bodies: string[][]): Promise<LoadReport> {
    return this.load.call('write', { group: this.group, path: PATH, bodies });
  }

  async takeTurn(yardstickTurns: YardstickTurns, bodies: string[][]): Promise<void> {
    const before = cpuTimeOf(this.pid);
    const { result, yardstick } = await yardstickTurns.take(() => this.write(bodies));
    const cpu = cpuTimeSince(before, cpuTimeOf(this.pid));
    this.reports.push(result);
    this.ratios.push(rateOf(result) / yardstick.perSecond);
    this.turns.push({ cpu, intents: CONNECTIONS * INTENTS_PER_TURN, yardstick });
  }
}

/** Returns the node's answer to an intent, for bare servers to copy. */
async function answerTo(port: number, intent: string): Promise<BareAnswer> {
  const connection = await HttpConnection.open(port);
  const { status, head, body } = await connection.send(postRequest(PATH, intent));
  connection.close();
  if (status !== 201) throw new Error(`status ${status}: ${body.toString()}`);
  const headers = head
    .split('\r\n')
    .slice(1)
    .flatMap((line) => {
      const [name = '', ...value] = line.split(': ');
      // Node writes these itself.
      return /^(|date|connection|keep-alive)$/i.test(name) ? [] : [name, value.join(': ')];
    });
  return { status, headers, body: body.toString() };
}
