/** What a node with 100,000 agents holds in memory, as the kernel counts it, after reads and writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { generateLoad } from '../generate-load.ts';
import { memoryOf, type Figure } from '../measure.ts';
import { startNetd } from '../netd-process.ts';

/** @param dataDir a data directory with 100,000 agents */
export async function memory(dataDir: string): Promise<Figure> {
  const netd = await startNetd(dataDir);
  try {
    const port = Number(new URL(netd.url).port);
    for (const path of [
      '/v1/agents?limit=1000',
      '/v1/discovery?limit=1000',
      '/v1/blocks?limit=100',
    ]) {
      await generateLoad({ port, path, connections: 8, requests: 200 });
    }
    await sleep(3_000);
    const { anonymous, resident } = memoryOf(netd.pid);
    return {
      name: 'anonymous resident memory with 100,000 agents',
      value: anonymous,
      unit: 'MB',
      goal: 300,
      better: 'lower',
      details: { residentWithMappedDatabase: resident },
    };
  } finally {
    await netd.kill('SIGTERM');
  }
}
