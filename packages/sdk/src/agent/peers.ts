/** What other agents say of themselves: the metadata behind their beacons. */
import { agentMetadata, type AgentMetadata } from '@netd/formats';
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
   */
  async metadataOf(agentId: string): Promise<AgentMetadata | null> {
    const beacon = await this.beaconOf(agentId);
    if (!beacon) return null;
    const { metadataHash, endpoint } = beacon;
    const bytes = await this.origins.fetch(metadataHash, [originOfUri(endpoint, metadataHash)]);
    if (bytes === null) return null;
    try {
      const metadata = agentMetadata.read(bytes, metadataHash);
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

  /** Where an agent says that its blobs are. */
  async originsOf(agentId: string): Promise<string[]> {
    return (await this.metadataOf(agentId))?.blobs ?? [];
  }
}
