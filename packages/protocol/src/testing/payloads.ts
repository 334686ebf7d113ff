/** Honest payloads; `members` replace and add. */
import type { JsonObject } from '../canonical-json.ts';

/** One hex digit, 64 times. */
export const hashOfDigit = (digit: string): string => digit.repeat(64);

/** One byte, 32 times. */
export const hashOf = (byte: number): string => byte.toString(16).padStart(2, '0').repeat(32);

export function beaconOf(agentId: string, height: number, members: JsonObject = {}): JsonObject {
  return {
    schema: 'NET-AGENT-BEACON/1',
    agentId,
    indexable: true,
    endpoint: `https://${agentId.toLowerCase()}.example/a2a`,
    capabilities: ['translate'],
    protocols: ['a2a/1.0'],
    metadataHash: 'ab'.repeat(32),
    expiresAtHeight: height + 1_000,
    sequence: 1,
    ...members,
  };
}

/** Small, and 2 % of it is not an integer. */
export const FUNDING = 10_000_001;

export function workOrderOf(orderId: string, members: JsonObject = {}): JsonObject {
  return {
    orderId,
    title: 'Translate a page',
    scopeHash: hashOfDigit('a'),
    jobType: 'translation',
    requirements: ['translate'],
    funding: FUNDING,
    ...members,
  };
}

/** The hash repeats the generation. */
export function checkpointOf(
  agentId: string,
  generation: number,
  members: JsonObject = {},
): JsonObject {
  return {
    agentId,
    checkpointId: `${agentId}-${generation}`,
    generation,
    parentCheckpointHash: generation === 1 ? null : hashOf(generation - 1),
    checkpointHash: hashOf(generation),
    stateRoot: hashOf(0xa0),
    chunksRoot: hashOf(0xb0),
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryption: 'AES-256-GCM',
    byteLength: 4_096,
    chunkCount: 1,
    barrier: { lastInputSequence: 7, lastOutputSequence: 5 },
    storageReplicas: ['store-a', 'store-b'].map((providerId) => ({
      providerId,
      uri: `https://${providerId}.example/${agentId}`,
      bundleHash: hashOf(0xc0),
    })),
    ...members,
  };
}
