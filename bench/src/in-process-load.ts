/** Submits signed intents to a node in this very process, so many at a time, and answers how many a second. */
import type { NetNode } from '@netd/node';
import { seconds } from './measure.ts';

const IN_FLIGHT = 4_000;

export async function submitAll(node: NetNode, intents: Buffer[]): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const intent = intents[next++];
      if (!intent) return;
      await node.admission.submit('intent', intent, 'bench');
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  return intents.length / seconds(startedAt);
}

export const UNBOUNDED = { total: 1_000_000, perAddress: 1_000_000 };
