/** Which names have been paid for work or have paid for some: asked of a node's public interface, and kept for a while. */
import { FairQueue } from '@netd/client-limits';
import { LRUCache } from 'lru-cache';
import { BlobError } from './errors.ts';
import { fetchList, fetchRecord } from './node-answers.ts';

/** Milliseconds until the node is asked again about a name with work, and about one without. */
const PROVEN_MILLISECONDS = 3_600_000;
const UNPROVEN_MILLISECONDS = 30_000;
const MAX_NAMES = 10_000;
/** The bounds of a store's questions: names of strangers must not become a flood, nor delay the others. */
const LOOKUPS = { most: 16, ofAddress: 8, waiting: 512, waitingOfAddress: 128, patience: 10_000 };
/** Pages of a requester's newest orders that are searched for one that counts. */
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
   * True if the agent was paid for an order of the least funding that counts, or has paid for one.
   * Escrow is not enough: an order can be cancelled, and the money can serve the next name a block later.
   * @param share the share of the limits that the question counts against, from `addressShare`
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  hasWork: (agentId: string, share: string) => Promise<boolean>;
}

export class NodeWorkDirectory implements WorkDirectory {
  private readonly nodeUrl: string;
  private readonly cache = new LRUCache<string, { hasWork: boolean }>({ max: MAX_NAMES });
  private readonly asking = new Map<string, Promise<boolean>>();
  private readonly queue = new FairQueue(LOOKUPS);

  constructor(nodeUrl: string) {
    this.nodeUrl = nodeUrl.replace(/\/+$/, '');
  }

  async hasWork(agentId: string, share: string): Promise<boolean> {
    const known = this.cache.get(agentId);
    if (known) return known.hasWork;
    let question = this.asking.get(agentId);
    if (!question) {
      const busy = (): BlobError =>
        new BlobError('BUSY', 1, `Too many names are being looked up, of ${share} or in all`);
      question = this.queue
        .run(share, () => this.ask(agentId), busy)
        .finally(() => this.asking.delete(agentId));
      this.asking.set(agentId, question);
    }
    return question;
  }

  private async ask(agentId: string): Promise<boolean> {
    try {
      const hasWork = await hasWorkAt(this.nodeUrl, agentId);
      const ttl = hasWork ? PROVEN_MILLISECONDS : UNPROVEN_MILLISECONDS;
      this.cache.set(agentId, { hasWork }, { ttl });
      return hasWork;
    } catch {
      throw new BlobError('NODE_UNREACHABLE', 5);
    }
  }
}

async function hasWorkAt(nodeUrl: string, agentId: string): Promise<boolean> {
  const stats = await fetchRecord<WorkStats>(nodeUrl, `work-stats/${agentId}`);
  if (!stats) return false;
  // The ledger counts only orders of the least funding here.
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
