/** The maximum of event streams catching up from genesis, and their cost to readers and writers. */
import { connect, type Socket } from 'node:net';
import { makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { median, quantile } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { measureRounds } from '../rounds.ts';
import { StateBuilder } from '../states.ts';

const EVENTS = 1_000_000;
const STREAMS = 1_000;
/** The node's limit for one address. */
const STREAMS_PER_ADDRESS = 16;
const ROUNDS = 60;

export async function catchingUp(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(ROUNDS);
  const height = await StateBuilder.build(directory, async (state) => {
    await state.register(agents);
    await state.registerRange(ROUNDS, EVENTS);
  });
  const netd = await startNetd(directory);
  const sockets: Socket[] = [];
  try {
    const idle = await measureRounds(netd.port, { agents, height, rounds: ROUNDS });
    let received = 0;
    for (let index = 0; index < STREAMS; index++) {
      sockets.push(await openStream(netd.port, index, (bytes) => (received += bytes)));
    }
    const before = received;
    const busy = await measureRounds(netd.port, { agents, height, rounds: ROUNDS });
    const details = { streams: STREAMS, events: EVENTS, bytesRead: received - before };
    return [
      {
        name: 'GET /livez while event streams catch up, 99th percentile',
        value: quantile(busy.reads, 0.99),
        unit: 'ms',
        goal: { atMost: 50 },
        details: {
          ...details,
          median: median(busy.reads),
          medianIdle: median(idle.reads),
          p99Idle: quantile(idle.reads, 0.99),
        },
      },
      {
        name: 'one intent while event streams catch up ÷ on an idle node, median from request to 201',
        value: median(busy.writes) / median(idle.writes),
        unit: 'ratio',
        goal: { atMost: 5 },
        details: { milliseconds: median(busy.writes), millisecondsIdle: median(idle.writes) },
      },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await netd.kill('SIGTERM');
  }
}

/** Opens a reader that consumes everything immediately. */
function openStream(
  port: number,
  index: number,
  onBytes: (count: number) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const group = 1 + Math.floor(index / STREAMS_PER_ADDRESS);
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${group}` });
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => onBytes(chunk.length));
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 9, 12) === '200') resolve(socket);
      else reject(new Error(`stream ${index}: ${chunk.toString('latin1', 0, 200)}`));
    });
    socket.write(
      'GET /v1/events?after=0.0 HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n',
    );
  });
}
