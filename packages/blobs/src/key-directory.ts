/** The keys of agents and their sessions, asked of a node's public interface and kept for a while. */
import { publicKeyHash as hashOfKey, rawKeyFromPem } from '@netd/protocol';
import { Lookups } from './lookups.ts';
import { fetchJson, fetchRecord } from './node-answers.ts';

/** Milliseconds until a key is asked for again, and until an unknown agent is. */
const KNOWN_MILLISECONDS = 60_000;
const UNKNOWN_MILLISECONDS = 2_000;

interface Entry {
  /** 32 bytes, null where the node knows no active agent, or no live session, of this id. */
  key: Uint8Array | null;
}

export class KeyDirectory {
  private readonly keys: Lookups<Entry>;

  constructor(nodeUrl: string) {
    const url = nodeUrl.replace(/\/+$/, '');
    this.keys = new Lookups({
      what: 'keys',
      ask: async (keyId) => ({ key: await fetchKey(url, keyId) }),
      keepFor: ({ key }) => (key ? KNOWN_MILLISECONDS : UNKNOWN_MILLISECONDS),
    });
  }

  /**
   * @param keyId an agent's id, or `<agent id>/<session id>`
   * @param share whose question it is, as `addressShare` says
   * @param fresh ask again even where a key is known: it may have been rotated since
   * @returns the key, and whether the node was asked just now, so that to ask again would tell nothing new
   * @throws BlobError NODE_UNREACHABLE, BUSY
   */
  async keyOf(keyId: string, share: string, fresh = false): Promise<Entry & { isNew: boolean }> {
    const { answer, isNew } = await this.keys.of(keyId, share, fresh);
    return { ...answer, isNew };
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
