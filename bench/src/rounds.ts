/** Latency for a single reader and a single writer, whatever else the node does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { at, beaconIntent, type BenchAgent } from './agents.ts';
import { getRequest, HttpConnection, postRequest } from './http-connection.ts';

const READS_PER_ROUND = 5;
/** More than the node's blockTime of 100 ms. */
const PAUSE_MILLISECONDS = 130;

/** In milliseconds. */
export interface Rounds {
  /** Of GET /livez. */
  reads: number[];
  /** Of one intent, from request to 201. */
  writes: number[];
}

/**
 * Measures rounds of reads and a write after a pause, on a connection of their own.
 * @param load.agents write in turn
 * @param load.height height of their registration
 */
export async function measureRounds(
  port: number,
  { agents, height, rounds }: { agents: readonly BenchAgent[]; height: number; rounds: number },
): Promise<Rounds> {
  const connection = await HttpConnection.open(port);
  const take = async (request: Buffer, status: number): Promise<number> => {
    const startedAt = performance.now();
    const answer = await connection.send(request);
    const time = performance.now() - startedAt;
    if (answer.status !== status) throw new Error(`${answer.status}: ${answer.body.toString()}`);
    return time;
  };
  const reads: number[] = [];
  const writes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(PAUSE_MILLISECONDS + (round % 7));
    for (let read = 0; read < READS_PER_ROUND; read++) {
      reads.push(await take(getRequest('/livez'), 200));
    }
    writes.push(
      await take(postRequest('/v1/intents', beaconIntent(at(agents, round), height)), 201),
    );
  }
  connection.close();
  return { reads, writes };
}
