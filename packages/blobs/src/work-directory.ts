import { nameOf } from '@netd/protocol';
import { Lookups } from './lookups.ts';
import { fetchList, fetchRecord } from './node-answers.ts';

/** Milliseconds to cache an answer, for agents with work and without. */
const PROVEN_MILLISECONDS = 3_600_000;
const UNPROVEN_MILLISECONDS = 30_000;
/** Pages of a requester's newest orders. */
const MAX_PAGES = 2;

interface WorkStats {
  verifiedOrders: number;
  requested: { paid: number };
}

interface Order {
  funding: number;
}

export interface WorkDirectory {
  /**
   * True if the agent was paid, or has paid, for an order of the least funding that counts. Escrow is not
   * enough, because a cancelled order returns its money.
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  hasWork: (agentId: string, share: string) => Promise<boolean>;
  /**
   * True if names are free, or this one paid its price.
   * @throws as `hasWork`
   */
  hasPaidName: (agentId: string, share: string) => Promise<boolean>;
}

export class NodeWorkDirectory implements WorkDirectory {
  private readonly names: Lookups<{ hasWork: boolean }>;
  private readonly prices: Lookups<{ isPaid: boolean }>;

  constructor(nodeUrl: string) {
    const url = nodeUrl.replace(/\/+$/, '');
    this.names = new Lookups({
      what: 'names',
      ask: async (agentId) => ({ hasWork: await hasWorkAt(url, agentId) }),
      keepFor: ({ hasWork }) => (hasWork ? PROVEN_MILLISECONDS : UNPROVEN_MILLISECONDS),
    });
    this.prices = new Lookups({
      what: 'names',
      ask: async (agentId) => ({ isPaid: await isNamePaidAt(url, agentId) }),
      keepFor: () => PROVEN_MILLISECONDS,
    });
  }

  async hasPaidName(agentId: string, share: string): Promise<boolean> {
    return (await this.prices.of(agentId, share)).answer.isPaid;
  }

  async hasWork(agentId: string, share: string): Promise<boolean> {
    return (await this.names.of(agentId, share)).answer.hasWork;
  }
}

async function isNamePaidAt(nodeUrl: string, agentId: string): Promise<boolean> {
  const policy = await fetchRecord<{ names?: { price?: string } }>(nodeUrl, 'policy/limits');
  if ((policy?.names?.price ?? 'free') === 'free') return true;
  // A person's price is in the record of the name.
  for (const key of [`agent/${agentId}`, `name/${nameOf(agentId)}`]) {
    const record = await fetchRecord<{ workBits?: number }>(nodeUrl, key);
    if (record?.workBits !== undefined) return true;
  }
  return false;
}

async function hasWorkAt(nodeUrl: string, agentId: string): Promise<boolean> {
  const stats = await fetchRecord<WorkStats>(nodeUrl, `work-stats/${agentId}`);
  if (!stats) return false;
  if (stats.verifiedOrders > 0) return true;
  if (stats.requested.paid === 0) return false;
  const policy = await fetchRecord<{ work?: { minimumFunding?: number } }>(
    nodeUrl,
    'policy/limits',
  );
  const least = policy?.work?.minimumFunding;
  if (least === undefined) throw new Error('the node did not answer with the policy of work');
  const path = `/v1/work-orders?status=PAID&requesterId=${encodeURIComponent(agentId)}`;
  const { items } = await fetchList<Order>(nodeUrl, path, 'orders', MAX_PAGES);
  return items.some(({ funding }) => funding >= least);
}
