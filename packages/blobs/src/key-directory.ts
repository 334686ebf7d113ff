/** The keys of agents and their sessions, asked of a node's public interface and kept for a while. */
import { FairQueue } from '@netd/client-limits';
import { publicKeyHash as hashOfKey, rawKeyFromPem } from '@netd/protocol';
import { LRUCache } from 'lru-cache';
import { BlobError } from './errors.ts';
import { fetchJson, fetchRecord } from './node-answers.ts';

/** Milliseconds until a key is asked for again, and until an unknown agent is. */
const KNOWN_MILLISECONDS = 60_000;
const UNKNOWN_MILLISECONDS = 2_000;
const MAX_KEYS = 10_000;
/** Questions to the node: strangers' ids must not become a flood, nor keep others from being known. */
const LOOKUPS = { most: 16, ofAddress: 8, waiting: 512, waitingOfAddress: 128, patience: 10_000 };

interface Entry {
  /** 32 bytes, null where the node knows no active agent, or no live session, of this id. */
  key: Uint8Array | null;
}

export class KeyDirectory {
  private readonly nodeUrl: string;
  private readonly cache: LRUCache<string, Entry>;
  private readonly asking = new Map<string, Promise<Entry>>();
  private readonly queue = new FairQueue(LOOKUPS);

  constructor(nodeUrl: string) {
    this.nodeUrl = nodeUrl.replace(/\/+$/, '');
    this.cache = new LRUCache({ max: MAX_KEYS });
  }

  /**
   * @param keyId an agent's id, or `<agent id>/<session id>`
   * @param share whose question it is, as `addressShare` says
   * @param fresh ask again even where a key is known: it may have been rotated since
   * @returns the key, and whether the node was asked just now, so that to ask again would tell nothing new
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  async keyOf(keyId: string, share: string, fresh = false): Promise<Entry & { isNew: boolean }> {
    const known = this.cache.get(keyId);
    if (known && !fresh) return { ...known, isNew: false };
    let question = this.asking.get(keyId);
    if (!question) {
      const busy = (): BlobError =>
        new BlobError('BUSY', 1, `Too many keys are being looked up, of ${share} or in all`);
      question = this.queue
        .run(share, () => this.ask(keyId), busy)
        .finally(() => this.asking.delete(keyId));
      this.asking.set(keyId, question);
    }
    return { ...(await question), isNew: true };
  }

  private async ask(keyId: string): Promise<Entry> {
    let key: Uint8Array | null;
    try {
      key = await fetchKey(this.nodeUrl, keyId);
    } catch {
      throw new BlobError('NODE_UNREACHABLE', 5);
    }
    const entry = { key };
    this.cache.set(keyId, entry, { ttl: key ? KNOWN_MILLISECONDS : UNKNOWN_MILLISECONDS });
    return entry;
  }
}

interface AgentAnswer {
  authority: { publicKey: string; active: boolean };
  sessions: { sessionId: string; publicKeyHash: string }[];
}

async function fetchKey(nodeUrl: string, keyId: string): Promise<Uint8Array | null> {
  const [agentId = '', sessionId] = keyId.split('/');
  const agent = await fetchJson<AgentAnswer>(`${nodeUrl}/v1/agents/${encodeURIComponent(agentId)}`);
  if (!agent?.authority.active) return null;
  if (sessionId === undefined) return rawKeyFromPem(agent.authority.publicKey);
  const session = agent.sessions.find((live) => live.sessionId === sessionId);
  if (!session) return null;
  // The document names a session's key by its hash; the state has the key itself.
  const record = await fetchRecord<{ publicKey: string }>(nodeUrl, `session/${keyId}`);
  const publicKey = record?.publicKey;
  if (publicKey === undefined || hashOfKey(publicKey) !== session.publicKeyHash) return null;
  return rawKeyFromPem(publicKey);
}
