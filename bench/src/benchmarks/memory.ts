/** Memory of a node with 100,000 agents after reads of large pages, by the kernel's count. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchmarkResult } from '../benchmark.ts';
import { openConnections, startLoadGenerator, troubles } from '../load.ts';
import { memoryOf } from '../measure.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';

const AGENTS = 100_000;
const PATHS = ['/v1/agents?limit=1000', '/v1/discovery?limit=1000', '/v1/blocks?limit=100'];

export async function memory(directory: string): Promise<BenchmarkResult[]> {
  await StateBuilder.build(directory, (state) => state.registerRange(0, AGENTS));
  const netd = await startNetd(directory);
  const load = startLoadGenerator();
  try {
    await openConnections(load, 'readers', { port: netd.port, connections: 8 });
    for (const path of PATHS) {
      const report = await load.call('read', { group: 'readers', path, requests: 200 });
      const trouble = troubles([report]);
      if (Object.keys(trouble).length > 0) throw new Error(`${path}: ${JSON.stringify(trouble)}`);
    }
    await sleep(3_000);
    const { anonymous, resident } = memoryOf(netd.pid);
    return [
      {
        name: 'anonymous resident memory with 100,000 agents',
        value: anonymous,
        unit: 'MB',
        goal: { atMost: 300 },
        details: { residentWithMappedDatabase: resident },
      },
    ];
  } finally {
    await load.stop();
    await netd.kill('SIGTERM');
  }
}
