import { findBlob, reachFor, type FoundBlob, type Reach } from '@netd/blobs/client';
import { agentMetadata, type AgentMetadata } from '@netd/formats';
import { originOfUri, reachableOrigin } from '@netd/sdk/internal';
import { agentOf, type House } from './member.ts';

const TIMEOUT_MILLISECONDS = 5_000;
const MAX_ORIGINS = 4;
const MAX_KNOWN = 1_000;

export interface Named {
  origins: readonly string[];
  /** False if the agent's metadata could not be read, so that more origins may exist. */
  certain: boolean;
}

export class Content {
  private readonly house: House;
  private readonly own: readonly string[];
  /** Permits local addresses only for the house's own stores and trusted ones (docs/decisions/189). */
  private readonly reach: Reach;
  private readonly known = new Map<string, AgentMetadata>();

  constructor(house: House) {
    this.house = house;
    this.own = house.places.map(({ url }) => url);
    const trusted = [...this.own, ...(house.trustedStores ?? []).map(reachableOrigin)];
    this.reach = reachFor({ nodeUrl: house.client.url, trusted });
  }

  /** Returns verified bytes, `absent` if all stores deny having them, otherwise `unknown`. */
  async find(hash: string, { origins: more, certain }: Named): Promise<FoundBlob> {
    const options = { timeout: TIMEOUT_MILLISECONDS, hedge: 0, reach: this.reach };
    const found = await findBlob(hash, this.origins(more), options);
    return found === 'absent' && !certain ? 'unknown' : found;
  }

  private origins(more: readonly string[]): string[] {
    const asked = more.filter((origin) => URL.canParse(origin)).map(reachableOrigin);
    return [...new Set([...this.own, ...asked])];
  }

  async namedBy(agentId: string): Promise<Named> {
    const metadata = await this.findMetadata(agentId);
    if (metadata === 'unknown') return { origins: [], certain: false };
    return { origins: metadata?.blobs.slice(0, MAX_ORIGINS) ?? [], certain: true };
  }

  async metadataOf(agentId: string): Promise<AgentMetadata | null> {
    const found = await this.findMetadata(agentId);
    return found === 'unknown' ? null : found;
  }

  /** Returns `unknown` if a store may have the metadata but doesn't provide it now. */
  private async findMetadata(agentId: string): Promise<AgentMetadata | null | 'unknown'> {
    const beacon = (await agentOf(this.house.client, agentId))?.beacon;
    const { metadataHash: hash, endpoint } = (beacon ?? {}) as Record<string, unknown>;
    if (typeof hash !== 'string') return null;
    const known = this.known.get(hash);
    if (known) return known;
    const found = await this.find(hash, { origins: originOf(endpoint, hash), certain: true });
    if (typeof found === 'string') return found === 'unknown' ? found : null;
    try {
      const metadata = agentMetadata.read(found, hash);
      if (metadata.agentId !== agentId) return null;
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(hash, metadata);
      return metadata;
    } catch {
      return null;
    }
  }
}

/** Returns the origin only if the URI names this blob, so that strangers' servers get no other requests. */
export function originOf(uri: unknown, hash: string): string[] {
  const origin = typeof uri === 'string' ? originOfUri(uri, hash) : null;
  return origin === null ? [] : [origin];
}
