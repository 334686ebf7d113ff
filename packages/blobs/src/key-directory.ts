/** The keys of agents, asked of a node's public interface and kept for a while. */
import { rawKeyFromPem } from '@netd/protocol';
import { LRUCache } from 'lru-cache';
import { BlobError } from './errors.ts';

/** Milliseconds until a key is asked for again, and until somebody unknown is. */
const KNOWN_MILLISECONDS = 60_000;
const UNKNOWN_MILLISECONDS = 2_000;
const MAX_KEYS = 10_000;
/** Questions to the node at once: strangers' ids must not become a flood. */
const MAX_LOOKUPS = 16;
const LOOKUP_TIMEOUT_MILLISECONDS = 5_000;
const MAX_ANSWER_BYTES = 262_144;

interface Entry {
  /** 32 bytes, null where the node knows no active agent of this id. */
  key: Uint8Array | null;
}

export class KeyDirectory {
  private readonly nodeUrl: string;
  private readonly cache: LRUCache<string, Entry>;
  private readonly asking = new Map<string, Promise<Entry>>();

  constructor(nodeUrl: string) {
    this.nodeUrl = nodeUrl.replace(/\/+$/, '');
    this.cache = new LRUCache({ max: MAX_KEYS });
  }

  /**
   * @param fresh ask again even where a key is known: it may have been rotated since
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  async keyOf(agentId: string, fresh = false): Promise<Uint8Array | null> {
    const known = this.cache.get(agentId);
    if (known && !fresh) return known.key;
    let question = this.asking.get(agentId);
    if (!question) {
      if (this.asking.size >= MAX_LOOKUPS) throw new BlobError('BUSY', 1);
      question = this.ask(agentId).finally(() => this.asking.delete(agentId));
      this.asking.set(agentId, question);
    }
    return (await question).key;
  }

  private async ask(agentId: string): Promise<Entry> {
    let key: Uint8Array | null;
    try {
      key = await fetchKey(`${this.nodeUrl}/v1/agents/${encodeURIComponent(agentId)}`);
    } catch {
      throw new BlobError('NODE_UNREACHABLE', 5);
    }
    const entry = { key };
    this.cache.set(agentId, entry, { ttl: key ? KNOWN_MILLISECONDS : UNKNOWN_MILLISECONDS });
    return entry;
  }
}

async function fetchKey(url: string): Promise<Uint8Array | null> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MILLISECONDS),
    redirect: 'error',
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) throw new Error(`the node answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
  const { authority } = JSON.parse(text) as { authority: { publicKey: string; active: boolean } };
  return authority.active ? rawKeyFromPem(authority.publicKey) : null;
}
