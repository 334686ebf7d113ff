/** Cached reads over HTTP against bare Fastify with the same bytes, in alternating turns. */
import type { BenchmarkResult } from '../benchmark.ts';
import { compareWithBareRoute } from '../bare-comparison.ts';
import { median, spread } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const PATH = '/v1/agents?limit=20';
const REQUESTS = 20_000;
const TURNS = 5;

export async function cachedRead(directory: string): Promise<BenchmarkResult[]> {
  await StateBuilder.build(directory, (state) => state.registerRange(0, 100));
  const netd = await startNetd(directory);
  try {
    const [comparison] = await compareWithBareRoute(netd.port, [PATH], {
      turns: TURNS,
      requestsFor: () => REQUESTS,
    });
    if (!comparison) throw new Error('nothing was read');
    const ratios = comparison.turns.map(({ rate, bareRate }) => rate / bareRate);
    return [
      {
        name: 'cached read document over HTTP ÷ bare Fastify route with the same bytes',
        value: median(ratios),
        unit: 'ratio',
        goal: { atLeast: 0.75 },
        details: {
          documentPerSecond: median(comparison.turns.map(({ rate }) => rate)),
          barePerSecond: median(comparison.turns.map(({ bareRate }) => bareRate)),
          bytes: comparison.bytes,
          ...spread(ratios),
        },
      },
    ];
  } finally {
    await netd.kill('SIGTERM');
  }
}
