/** What other agents say of themselves: the metadata behind their beacons. */
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
   * Asked anew each time: who changes its key says so with its next beacon.
   * @returns null where there is no beacon, or no readable metadata of this very agent behind it
   * @throws AgentError BLOB_UNAVAILABLE where a store that may have the metadata does not give it now: what the agent says
   *   of itself is not known then, its key neither
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

  /** Proven where the agent has an anchor: who names another key here reads what is sealed to it. */
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

  /** Where an agent says that its blobs are. @throws as `metadataOf` */
  async originsOf(agentId: string): Promise<string[]> {
    return (await this.metadataOf(agentId))?.blobs ?? [];
  }

  /** Whether a store has a blob, as `blobOf` finds it, without its bytes. @throws as `metadataOf` */
  async hasBlob(hash: string, ownerId: string): Promise<'present' | 'absent' | 'unknown'> {
    const near = await this.origins.has(hash);
    if (near === 'present') return near;
    const found = await this.origins.has(hash, await this.originsOf(ownerId));
    return found === 'absent' ? near : found;
  }

  /**
   * The bytes of a hash, from the stores that are known, else from those that their owner names.
   * @returns null where all of them say that they do not have them
   * @throws AgentError BLOB_UNAVAILABLE where one only fails, is busy or does not answer
   */
  async blobOf(hash: string, ownerId: string): Promise<Uint8Array | null> {
    const near = await this.origins.find(hash);
    if (typeof near !== 'string') return near;
    const found = await this.origins.find(hash, await this.originsOf(ownerId));
    if (typeof found !== 'string') return found;
    if (near === 'absent' && found === 'absent') return null;
    throw new AgentError('BLOB_UNAVAILABLE', hash);
  }
}
