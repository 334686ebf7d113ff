/** 100,000 open orders that expire together, and their cost to readers and writers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAgents } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { getRequest, HttpConnection } from '../http-connection.ts';
import { median, quantile, seconds } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { measureRounds } from '../rounds.ts';
import { StateBuilder } from '../states.ts';
import { provide } from './mixed-workload.ts';

const AGENTS = 1_000;
const ORDERS = 100_000;
const ROUNDS = 40;
/** Made in 25 blocks and due this many heights later: after the idle rounds, within a few seconds. */
const HEIGHTS = 150;
const LOOK_MILLISECONDS = 250;

export async function equalDeadlines(directory: string): Promise<BenchmarkResult[]> {
  const agents = makeAgents(AGENTS);
  const terms = { acceptWithin: { heights: HEIGHTS, milliseconds: 1 } };
  const height = await StateBuilder.build(directory, (state) =>
    provide(state, agents, ORDERS, terms),
  );
  const load = { agents, height, rounds: ROUNDS };
  const netd = await startNetd(directory);
  const connection = await HttpConnection.open(netd.port);
  const open = async (): Promise<number> => {
    const { body } = await connection.send(getRequest('/v1/work-orders?limit=1'));
    const { byStatus } = JSON.parse(body.toString()) as { byStatus: { OPEN: number } };
    return byStatus.OPEN;
  };
  try {
    const idle = await measureRounds(netd.port, load);
    // Every write adds a block, which advances the chain faster.
    while ((await open()) === ORDERS) await measureRounds(netd.port, { ...load, rounds: 2 });
    const startedAt = performance.now();
    let left = ORDERS;
    const ended = (async () => {
      while ((left = await open()) > 0) await sleep(LOOK_MILLISECONDS);
      return seconds(startedAt);
    })();
    const busy = await measureRounds(netd.port, load);
    const leftAfterRounds = left;
    const took = await ended;
    const details = { orders: ORDERS, leftAfterRounds };
    return [
      {
        name: 'orders of one deadline: from the first to the last that ends',
        value: took * 1_000,
        unit: 'ms',
        goal: { atMost: 60_000 },
        details,
      },
      {
        name: 'one intent while they end ÷ on an idle node, median from request to 201',
        value: median(busy.writes) / median(idle.writes),
        unit: 'ratio',
        goal: { atMost: 3 },
        details: { milliseconds: median(busy.writes), millisecondsIdle: median(idle.writes) },
      },
      {
        name: 'GET /livez while they end ÷ on an idle node, medians',
        value: median(busy.reads) / median(idle.reads),
        unit: 'ratio',
        goal: { atMost: 3 },
        details: {
          milliseconds: median(busy.reads),
          millisecondsIdle: median(idle.reads),
          p99: quantile(busy.reads, 0.99),
          p99Idle: quantile(idle.reads, 0.99),
        },
      },
    ];
  } finally {
    connection.close();
    await netd.kill('SIGTERM');
  }
}
