import { agentMetadata, type AgentMetadata } from '@netd/formats';
import { AgentError } from './agent-error.ts';
import type { RetryingClient } from './retrying-client.ts';
import { originOfUri, type Origins } from './origins.ts';

interface Beacon {
  metadataHash: string;
  endpoint: string;
}

export class Peers {
  private readonly retryingClient: RetryingClient;
  private readonly origins: Origins;

  constructor(retryingClient: RetryingClient, origins: Origins) {
    this.retryingClient = retryingClient;
    this.origins = origins;
  }

  /**
   * Returns an agent's metadata; null without a beacon, or without readable metadata. Never cached, because
   * beacons announce new keys.
   */
  async metadataOf(agentId: string): Promise<AgentMetadata | null> {
    const beacon = await this.beaconOf(agentId);
    if (!beacon) return null;
    const { metadataHash, endpoint } = beacon;
    const found = await this.origins.read(metadataHash, [originOfUri(endpoint, metadataHash)]);
    if (found === null) return null;
    try {
      const metadata = agentMetadata.read(found, metadataHash);
      return metadata.agentId === agentId ? metadata : null;
    } catch {
      return null;
    }
  }

  /**
   * Returns a beacon, proven if there is an anchor: the owner of a false key could read content sealed to it.
   */
  private async beaconOf(agentId: string): Promise<Beacon | null> {
    if (this.retryingClient.proves) {
      const record = (await this.retryingClient.state(`beacon/${agentId}`)) as {
        beacon: Beacon | null;
      } | null;
      return record?.beacon ?? null;
    }
    const found = await this.retryingClient.find('/v1/agents/{agentId}', { agentId });
    return (found?.beacon as Beacon | null | undefined) ?? null;
  }

  async originsOf(agentId: string): Promise<string[]> {
    return (await this.metadataOf(agentId))?.blobs ?? [];
  }

  async hasBlob(hash: string, ownerId: string): Promise<'present' | 'absent' | 'unknown'> {
    const near = await this.origins.has(hash);
    if (near === 'present') return near;
    const found = await this.origins.has(hash, await this.originsOf(ownerId));
    return found === 'absent' ? near : found;
  }

  /** Returns a blob from the known stores or its owner's; null if all say that they lack it. */
  async blobOf(hash: string, ownerId: string): Promise<Uint8Array | null> {
    const near = await this.origins.find(hash);
    if (typeof near !== 'string') return near;
    const found = await this.origins.find(hash, await this.originsOf(ownerId));
    if (typeof found !== 'string') return found;
    if (near === 'absent' && found === 'absent') return null;
    throw new AgentError('BLOB_UNAVAILABLE', hash);
  }
}
