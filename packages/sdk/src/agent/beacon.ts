import { agentMetadata, publicEncryptionKey, type AgentMetadata } from '@netd/formats';
import { canonicalize, MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { NetError } from '../http.ts';
import { blobUri } from './origins.ts';
import { requireSecret, type AgentParts } from './parts.ts';

export interface BeaconOptions {
  agentId: string;
  description: string;
  capabilities: readonly string[];
  protocols: readonly string[];
  endpoint: string | null;
  prices: AgentMetadata['prices'];
  links: AgentMetadata['links'];
}

const RENEW_BEFORE = 1_000;
/** Heights. Below the maximum, because blocks are added between reading and commit. */
const LIFETIME = MAX_EXPIRY_DISTANCE - 100;
export const LONGEST_LOOK = 600_000;
/** Milliseconds. Prevents a busy loop whatever pace the node claims. */
const SHORTEST_LOOK = 100;

/**
 * Returns milliseconds until the next check: the earliest possible renewal, then three times within the
 * remaining heights.
 * @param left heights until the beacon expires
 */
export function nextLook(left: number, blockTimeMs: number): number {
  const heights = Math.max(left - RENEW_BEFORE, Math.floor(RENEW_BEFORE / 3));
  return Math.min(Math.max(heights * blockTimeMs, SHORTEST_LOOK), LONGEST_LOOK);
}

const SEQUENCES = 2 ** 52;

/**
 * Returns the next sequence. Rejects a claimed `last` near the maximum, because no further beacon would be
 * possible after it. The bound grows with the height, so an honest chain never reaches it.
 */
export function sequenceAfter(last: number, height: number): number {
  if (Number.isSafeInteger(last) && last >= 0 && last < SEQUENCES + height) return last + 1;
  throw new NetError(200, null);
}

/**
 * Publishes the beacon if needed. Returns milliseconds until the next check; null without an endpoint and a
 * store for the metadata.
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
  await outbox.settle('beacon');
  await outbox.forget('beacon');
  if (first && (await origins.fetch(metadata.hash)) === null) {
    // Ignore failures, since the agent can work without a beacon.
    await origins.put(metadata.bytes, 1, 0);
  }
  const [{ beacon, beaconSequence }, { blockTimeMs }, height] = await Promise.all([
    retryingClient.read('/v1/agents/{agentId}', { agentId }),
    retryingClient.read('/v1/network'),
    retryingClient.height(),
  ]);
  // Trust only a proven sequence: after a false one at the maximum, no beacon could follow.
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
  const sequence = sequenceAfter(last, height);
  const payload = { ...claim, expiresAtHeight: height + LIFETIME, sequence };
  await outbox.act('beacon', 'publishBeacon', payload);
  await outbox.forget('beacon');
  return nextLook(LIFETIME, blockTimeMs);
}
