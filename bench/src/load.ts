/** The load generator's client, and sums of its reports. */
import { increment, type Counts } from './counts.ts';
import type { LoadGenerator, LoadReport } from './load-generator.ts';
import { RemoteProgram } from './remote-program.ts';

export type Load = RemoteProgram<LoadGenerator>;

export function startLoadGenerator(): Load {
  return new RemoteProgram<LoadGenerator>(new URL('load-generator.ts', import.meta.url));
}

/** Opens a group of connections, all of which must succeed. */
export async function openConnections(
  load: Load,
  group: string,
  { port, connections }: { port: number; connections: number },
): Promise<void> {
  const failed = await load.call('open', { group, port, connections });
  if (Object.keys(failed).length > 0) {
    throw new Error(`connections could not be opened: ${JSON.stringify(failed)}`);
  }
}

/** Successful requests per second. */
export function rateOf({ succeeded, seconds }: LoadReport): number {
  return succeeded / seconds;
}

/** Returns refusals and failures of all turns as details; empty if there were none. */
export function troubles(reports: readonly Pick<LoadReport, 'refused' | 'failed'>[]): Counts {
  const counts: Counts = {};
  for (const { refused, failed } of reports) {
    for (const [code, count] of Object.entries(refused))
      increment(counts, `refused ${code}`, count);
    for (const [code, count] of Object.entries(failed)) increment(counts, `failed ${code}`, count);
  }
  return counts;
}
