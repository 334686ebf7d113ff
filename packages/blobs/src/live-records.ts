/** Finds the blobs in an agent's beacon, memory, open orders and pending messages. */
import { fetchJson, fetchList, fetchRecord } from './node-answers.ts';

interface Checkpoint {
  checkpointId: string;
}

interface Memory extends Checkpoint {
  openHandoverId: string | null;
}

/** An agent with more pages of records keeps all its blobs. */
const MAX_PAGES = 20;

/**
 * Returns null if there are too many records.
 * @throws Error if the node is not ready or does not answer
 */
export async function liveHashesOf(nodeUrl: string, agentId: string): Promise<Set<string> | null> {
  const id = encodeURIComponent(agentId);
  const beacon = await fetchRecord<{ beacon: unknown }>(nodeUrl, `beacon/${agentId}`);
  const memory = await fetchRecord<Memory>(nodeUrl, `memory/${agentId}`);
  const handover = memory?.openHandoverId
    ? await fetchRecord<Checkpoint>(nodeUrl, `memory-handover/${memory.openHandoverId}`)
    : undefined;
  const records: unknown[] = [beacon?.beacon];
  for (const { checkpointId } of [memory, handover].filter((one) => one !== undefined)) {
    records.push(await fetchRecord(nodeUrl, `memory-checkpoint/${checkpointId}`));
  }
  const found = new Set(hashesIn(JSON.stringify(records)));
  const lists = [
    [`/v1/work-orders?agentId=${id}`, 'orders'],
    [`/v1/work-orders?requesterId=${id}`, 'orders'],
    [`/v1/agent-messages?status=PENDING&expired=false&agentId=${id}`, 'messages'],
  ] as const;
  for (const [path, member] of lists) {
    const { items, isComplete } = await fetchList<{ phase?: string }>(
      nodeUrl,
      path,
      member,
      MAX_PAGES,
    );
    if (!isComplete) return null;
    for (const item of items) {
      if (item.phase === 'ENDED') continue;
      for (const hash of hashesIn(JSON.stringify(item))) found.add(hash);
    }
  }
  return found;
}

export function* hashesIn(text: string): Generator<string> {
  for (const [, hash = ''] of text.matchAll(/"([0-9a-f]{64})"/g)) yield hash;
}

export async function requireReady(nodeUrl: string): Promise<void> {
  if ((await fetchJson(`${nodeUrl}/readyz`)) === null) throw new Error('this is no node');
}
