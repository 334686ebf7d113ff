/** Four validators with a delay between them: how long a write waits for its block, by the timeouts of a round. */
import { join } from 'node:path';
import { canonicalize } from '@netd/protocol';
import { makeAgents, registration } from '../agents.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { getRequest, HttpConnection, postRequest } from '../http-connection.ts';
import { median, spread } from '../measure.ts';
import { startValidators } from '../validator-networks.ts';

/** Milliseconds: one way, so a round trip takes twice as long, and the timeouts of a round. */
const CASES = [
  { delay: 0, propose: 1_000, vote: 200 },
  { delay: 50, propose: 1_000, vote: 200 },
  { delay: 150, propose: 1_000, vote: 200 },
  { delay: 150, propose: 3_000, vote: 1_000 },
  { delay: 150, propose: 200, vote: 20 },
];
const BLOCK_TIME = 100;
const WARM_UP = 5;
/** Writes one after the other, a block each. */
const WRITES = 20;

interface Measured {
  /** Milliseconds from the request to the receipt. */
  times: number[];
  /** Milliseconds between two blocks of CometBFT. A write needs one, and its state root another. */
  blockTime: number;
  /** Blocks that needed more than one round. */
  failedRounds: number;
}

export async function farValidators(directory: string): Promise<BenchmarkResult[]> {
  const results: BenchmarkResult[] = [];
  let near = Number.NaN;
  for (const { delay, propose, vote } of CASES) {
    const options = ['--propose-timeout', String(propose), '--vote-timeout', String(vote)];
    const place = join(directory, `${delay}-${propose}`);
    const { times, blockTime, failedRounds } = await measure(place, delay, options);
    if (Number.isNaN(near)) near = blockTime;
    const result: BenchmarkResult = {
      name: `time of a block, four validators ${delay} ms apart (timeouts ${propose} and ${vote} ms) ÷ 0 ms apart`,
      value: blockTime / near,
      unit: 'ratio',
      goal: null,
      details: {
        blockTime,
        receipt: median(times),
        failedRounds,
        writes: WRITES,
        ...spread(times),
      },
    };
    console.log(`  ${JSON.stringify(result)}`);
    results.push(result);
  }
  return results;
}

async function measure(
  directory: string,
  delay: number,
  options: readonly string[],
): Promise<Measured> {
  const network = await startValidators(directory, 4, { blockTime: BLOCK_TIME, delay, options });
  const connection = await HttpConnection.open(network.ports[0] ?? 0);
  try {
    const times: number[] = [];
    let failedRounds = 0;
    const heights: { height: number; at: number }[] = [];
    for (const [index, agent] of makeAgents(WARM_UP + WRITES).entries()) {
      const body = canonicalize(registration(agent));
      const startedAt = performance.now();
      const answer = await connection.send(postRequest('/v1/agents/register', body));
      if (answer.status > 201) throw new Error(`${answer.status}: ${answer.body.toString()}`);
      if (index < WARM_UP) continue;
      times.push(performance.now() - startedAt);
      const { receipt } = JSON.parse(answer.body.toString()) as { receipt: { height: number } };
      const block = await connection.send(getRequest(`/v1/blocks/${receipt.height}`));
      const { certificate } = JSON.parse(block.body.toString()) as Certified;
      const { header, round } = certificate.commit;
      heights.push({ height: header.height, at: performance.now() });
      if (round > 0) failedRounds++;
    }
    const [first, last] = [heights[0], heights.at(-1)];
    if (!first || !last) throw new Error('nothing was measured');
    const blockTime = (last.at - first.at) / (last.height - first.height);
    return { times, blockTime, failedRounds };
  } finally {
    connection.close();
    await network.stop();
  }
}

interface Certified {
  certificate: { commit: { header: { height: number }; round: number } };
}
