import { openMemory, readManifest, type Keyring, type PortableMemory } from '@netd/formats';
import { sha256Hex, utf8Text, type JsonValue } from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';
import { AgentError } from './agent-error.ts';
import { originOfUri } from './origins.ts';
import type { AgentParts } from './parts.ts';

type Checkpoint = Omit<
  DocumentOf<'/v1/memory/checkpoints'>['checkpoints'][number],
  'committedAt' | 'transitionHash'
>;

export interface MemoryRecord {
  generation: number;
  checkpointId: string;
  checkpointHash: string;
  activeRuntime: { runtimeId: string; providerId: string } | null;
}

export async function memoryRecordOf(
  { retryingClient }: Pick<AgentParts, 'retryingClient'>,
  agentId: string,
): Promise<MemoryRecord | null> {
  return (await retryingClient.state(`memory/${agentId}`)) as MemoryRecord | null;
}

export async function checkpointOf(
  { retryingClient }: Pick<AgentParts, 'retryingClient'>,
  checkpointId: string,
): Promise<Checkpoint> {
  const key = `memory-checkpoint/${checkpointId}`;
  const found = (await retryingClient.state(key)) as { checkpoint: Checkpoint } | null;
  if (!found) throw new AgentError('MEMORY_REPLICA_LOST', `the node has no ${checkpointId}`);
  return found.checkpoint;
}

/** @throws AgentError MEMORY_REPLICA_LOST; FormatError if the manifest does not match its commitment */
export async function fetchManifest(
  { origins }: Pick<AgentParts, 'origins'>,
  checkpoint: Checkpoint,
): Promise<PortableMemory> {
  const { agentId, generation, parentCheckpointHash, checkpointHash } = checkpoint;
  const bytes = await origins.read(checkpointHash, hintsOf(checkpoint));
  if (bytes === null) throw new AgentError('MEMORY_REPLICA_LOST', checkpointHash);
  const expected = { agentId, generation, parentCheckpointHash, bundleHash: checkpointHash };
  return readManifest(bytes, expected);
}

/**
 * @throws AgentError MEMORY_REPLICA_LOST; FormatError if no replica has the committed content, or this key
 * cannot open it
 */
export async function fetchMemory(
  parts: Pick<AgentParts, 'origins'>,
  checkpoint: Checkpoint,
  keys: Keyring,
): Promise<Uint8Array> {
  const hints = hintsOf(checkpoint);
  const manifest = await fetchManifest(parts, checkpoint);
  const plaintext = await openMemory(manifest, keys, (hash) => parts.origins.read(hash, hints));
  if (sha256Hex(plaintext) !== checkpoint.stateRoot) {
    throw new AgentError('MEMORY_REPLICA_LOST', 'the checkpoint names another state');
  }
  return plaintext;
}

export function entriesOf(plaintext: Uint8Array): Record<string, JsonValue> {
  let told: { schema?: unknown; entries?: unknown } | null = null;
  try {
    told = JSON.parse(utf8Text(plaintext)) as typeof told;
  } catch {
    // The text is not JSON.
  }
  const { schema, entries }: { schema?: unknown; entries?: unknown } = told ?? {};
  const isMap = typeof entries === 'object' && entries !== null && !Array.isArray(entries);
  if (schema !== 'NET-AGENT-MEMORY/1' || !isMap) {
    const what = typeof schema === 'string' ? schema : 'document of another form';
    throw new AgentError('MEMORY_REPLICA_LOST', `it is a ${what}, not a map of this API`);
  }
  return entries as Record<string, JsonValue>;
}

const hintsOf = ({ storageReplicas }: Checkpoint): (string | null)[] =>
  storageReplicas.map(({ uri, bundleHash }) => originOfUri(uri, bundleHash));
