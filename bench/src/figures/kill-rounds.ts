/** kill -9 under load, again and again: every acknowledged write must be there, and the chain must verify. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyDatabase } from '@netd/node';
import { canonicalize } from '@netd/protocol';
import { beaconIntent, makeAgents, registration } from '../agents.ts';
import type { Figure } from '../measure.ts';
import { startNetd } from '../netd-process.ts';

const ROUNDS = 50;
const CLIENTS = 128;

export async function killRounds(directory: string): Promise<Figure> {
  const dataDir = join(directory, 'kill');
  const agents = makeAgents(CLIENTS);
  const acknowledged = new Set<string>();
  let lost = 0;
  let invalid = 0;
  let url = '';
  const post = async (path: string, body: string): Promise<string | null> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answer = (await response.json()) as { receipt?: { transitionHash: string } };
    return response.status === 201 ? (answer.receipt?.transitionHash ?? null) : null;
  };

  for (let round = 0; round < ROUNDS; round++) {
    const netd = await startNetd(dataDir);
    url = netd.url;
    if (round === 0) {
      for (const agent of agents) {
        await post('/v1/agents/register', canonicalize(registration(agent)));
      }
    }
    const { height } = (await (await fetch(`${url}/health`)).json()) as { height: number };
    lost += await countMissing(url, [...acknowledged].slice(-400));
    const load = new AbortController();
    const clients = agents.map(async (agent) => {
      while (!load.signal.aborted) {
        const hash = await post('/v1/intents', beaconIntent(agent, height).toString()).catch(
          () => null,
        );
        if (hash) acknowledged.add(hash);
      }
    });
    // A different moment of the block's life every time.
    await sleep(150 + ((round * 37) % 230));
    load.abort();
    await netd.kill('SIGKILL');
    await Promise.all(clients);
    const report = await verifyDatabase(join(dataDir, 'chain'), {});
    if (!report.ok) invalid++;
  }
  const netd = await startNetd(dataDir);
  lost += await countMissing(netd.url, [...acknowledged]);
  await netd.kill('SIGTERM');
  return {
    name: 'acknowledged writes lost over 50 rounds of kill -9 under load',
    value: lost + invalid,
    unit: 'writes',
    goal: 0,
    better: 'lower',
    details: { acknowledged: acknowledged.size, lost, roundsNotVerifying: invalid, rounds: ROUNDS },
  };
}

/** How many acknowledged transitions the node does not know. After each round the newest, at the end all. */
async function countMissing(url: string, acknowledged: string[]): Promise<number> {
  let missing = 0;
  for (const hash of acknowledged) {
    const response = await fetch(`${url}/v1/transitions/${hash}`);
    await response.arrayBuffer();
    if (response.status !== 200) missing++;
  }
  return missing;
}
