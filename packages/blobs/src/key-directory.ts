/** Looks up keys of agents and sessions at the node. */
import { publicKeyHash as hashOfKey, rawKeyFromPem } from '@netd/protocol';
import { Lookups } from './lookups.ts';
import { fetchJson, fetchRecord } from './node-answers.ts';

const KNOWN_MILLISECONDS = 60_000;
const UNKNOWN_MILLISECONDS = 2_000;

interface Entry {
  /** 32 bytes; null without an active agent or live session. */
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
   * @param keyId `<agent id>` or `<agent id>/<session id>`
   * @param fresh bypasses the cache
   * @returns the key; `isNew` if the node was asked just now
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
  // The document has only the key's hash.
  const record = await fetchRecord<{ publicKey: string }>(nodeUrl, `session/${keyId}`);
  const publicKey = record?.publicKey;
  if (publicKey === undefined || hashOfKey(publicKey) !== session.publicKeyHash) return null;
  return rawKeyFromPem(publicKey);
}
