/** Keeps the agent's beacon current: published where something changed or it is about to expire, else left alone. */
import { agentMetadata, publicEncryptionKey, type AgentMetadata } from '@netd/formats';
import { canonicalize, MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { blobUri } from './origins.ts';
import { requireSecret, type AgentParts } from './parts.ts';

export interface BeaconOptions {
  agentId: string;
  description: string;
  capabilities: readonly string[];
  protocols: readonly string[];
  /** https; without it that of the metadata itself. */
  endpoint: string | null;
  prices: AgentMetadata['prices'];
  links: AgentMetadata['links'];
}

/** Heights left at which it is renewed. */
const RENEW_BEFORE = 1_000;
/** A little less than may be, because the chain goes on between the reading and the block. */
const LIFETIME = MAX_EXPIRY_DISTANCE - 100;
/** Milliseconds: what else changes, for example the stores of blobs, is found that soon. */
export const LONGEST_LOOK = 600_000;
/** Milliseconds: whatever a node says of its pace, there is no busy loop. */
const SHORTEST_LOOK = 100;

/**
 * When the beacon is to be looked at again: when it may be due for renewal at the pace of full blocks, which is the
 * quickest there is; from then on thrice within the heights that are left to renew it.
 * @param left heights until it expires
 * @returns milliseconds
 */
export function nextLook(left: number, blockTimeMs: number): number {
  const heights = Math.max(left - RENEW_BEFORE, Math.floor(RENEW_BEFORE / 3));
  return Math.min(Math.max(heights * blockTimeMs, SHORTEST_LOOK), LONGEST_LOOK);
}

/**
 * @returns the milliseconds after which it is to be looked at again; null where there is neither an endpoint nor a store for the metadata
 * @throws AgentError BLOB_NOT_STORED, NetError
 */
export async function keepBeacon(
  parts: Pick<AgentParts, 'retryingClient' | 'outbox' | 'origins' | 'encryption'>,
  options: BeaconOptions,
): Promise<number | null> {
  const { retryingClient, outbox, origins } = parts;
  const { agentId, description, prices, links } = options;
  const places = origins.places();
  const metadata = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId,
    description,
    encryptionKey: publicEncryptionKey(requireSecret(parts)),
    blobs: places.map(({ origin }) => origin),
    ...(prices === undefined ? {} : { prices }),
    ...(links === undefined ? {} : { links }),
  });
  const [first] = places;
  const endpoint = options.endpoint ?? (first && blobUri(first.origin, metadata.hash));
  if (endpoint === undefined) return null;
  const claim = {
    schema: 'NET-AGENT-BEACON/1',
    agentId,
    indexable: true,
    endpoint,
    capabilities: [...options.capabilities],
    protocols: [...options.protocols],
    metadataHash: metadata.hash,
  };
  // One that was signed before this process began may still be executed: the sequence is read behind its fate.
  await outbox.settle('beacon');
  await outbox.forget('beacon');
  // Where the place has lost it, or is a new one.
  if (first && (await origins.fetch(metadata.hash)) === null) {
    // An agent opens and works without it; it is tried again by itself.
    await origins.put(metadata.bytes, 1, 0);
  }
  const [{ beacon, beaconSequence }, { blockTimeMs }, height] = await Promise.all([
    retryingClient.read('/v1/agents/{agentId}', { agentId }),
    retryingClient.read('/v1/network'),
    retryingClient.height(),
  ]);
  // The chain takes the highest sequence that there is: after it no beacon could follow.
  const record = retryingClient.proves ? await retryingClient.state(`beacon/${agentId}`) : null;
  const last = retryingClient.proves
    ? ((record as { lastSequence: number } | null)?.lastSequence ?? 0)
    : beaconSequence;
  if (beacon) {
    const { expiresAtHeight, sequence: _, ...published } = beacon;
    const same = canonicalize(published) === canonicalize(claim);
    const left = Number(expiresAtHeight) - height;
    if (same && left > RENEW_BEFORE) return nextLook(left, blockTimeMs);
  }
  const sequence = last + 1;
  const payload = { ...claim, expiresAtHeight: height + LIFETIME, sequence };
  await outbox.act('beacon', 'publishBeacon', payload);
  await outbox.forget('beacon');
  return nextLook(LIFETIME, blockTimeMs);
}
