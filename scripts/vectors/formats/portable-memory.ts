import {
  openSealed,
  portableMemory,
  publicEncryptionKey,
  sealToRecipients,
  writeMemory,
  type Blob,
  type MemoryFacts,
  type PortableMemory,
} from '@netd/formats';
import { canonicalize, merkleRoot, sha256Hex, utf8Bytes } from '@netd/protocol';
import { encryptionKey } from './keys.ts';

/** A little more than one chunk. */
const PLAINTEXT = { repeat: 'what ada remembers; ', times: 52_430 };

export async function portableMemories(): Promise<unknown> {
  const [ada, runtime] = ['ada', 'runtime'].map(encryptionKey);
  if (!ada || !runtime) throw new Error('two keys');
  const recipients = [ada, runtime].map(publicEncryptionKey);
  const blobs: Blob[] = [];
  const store = async (blob: Blob): Promise<void> => void blobs.push(blob);
  const facts: MemoryFacts = {
    agentId: 'ada',
    generation: 2,
    parentCheckpointHash: sha256Hex('generation 1'),
  };
  const plaintext = utf8Bytes(PLAINTEXT.repeat.repeat(PLAINTEXT.times));
  const { bundleHash, manifest } = await writeMemory(plaintext, facts, recipients, store);
  const keyContext = ({ chunksRoot, stateRoot, ...rest }: PortableMemory) => ({
    agentId: rest.agentId,
    generation: rest.generation,
    parentCheckpointHash: rest.parentCheckpointHash,
    chunksRoot,
    stateRoot,
  });
  const contentKey = await openSealed(manifest.key, ada, keyContext(manifest));

  /** Returns a manifest written by the key's owner from mismatched parts. */
  const joined = async (changes: Partial<PortableMemory>): Promise<PortableMemory> => {
    const changed = { ...manifest, ...changes };
    changed.chunksRoot = merkleRoot(changed.chunks.map(({ hash }) => hash));
    return { ...changed, key: await sealToRecipients(contentKey, recipients, keyContext(changed)) };
  };
  const [first, second] = manifest.chunks;
  if (!first || !second) throw new Error('two chunks');
  const invalid = (
    name: string,
    code: string,
    { document = manifest, key = 'ada', ...rest }: InvalidCase = {},
  ) => {
    const text = canonicalize(document);
    const { agentId, generation, parentCheckpointHash } = document;
    const named = { agentId, generation, parentCheckpointHash, bundleHash: sha256Hex(text) };
    const checkpoint = { ...named, ...rest.checkpoint };
    return { name, code, key, manifest: text, checkpoint, ...(rest.chunk ? { chunk: rest.chunk } : {}) };
  };
  return {
    about:
      'NET-PORTABLE-MEMORY/1. plaintext: UTF-8 of repeat, times over. A chunk is iv, ciphertext and tag of AES-256-GCM under contentKey, with the canonical bytes of {agentId, generation, index} as additional data; ivs holds what makes it again, so that only the keys of JWE are opened and never made. checkpoint: what the chain says; chunk: what a replica does to the blob of this index. invalid: the code of the refusal.',
    keys: { ada, runtime, eve: encryptionKey('eve') },
    plaintext: PLAINTEXT,
    contentKey: Buffer.from(contentKey).toString('hex'),
    ivs: blobs.slice(0, -1).map(({ bytes }) => Buffer.from(bytes.subarray(0, 12)).toString('hex')),
    valid: [
      {
        name: 'two chunks, in a handover',
        manifest: canonicalize(manifest),
        checkpoint: { ...facts, bundleHash },
        opens: ['ada', 'runtime'],
      },
    ],
    invalid: [
      invalid('a manifest of other bytes', 'DOCUMENT_HASH_MISMATCH', {
        checkpoint: { bundleHash: sha256Hex('another') },
      }),
      invalid('another agent', 'MEMORY_WRONG_AGENT', { checkpoint: { agentId: 'eve' } }),
      invalid('another generation', 'MEMORY_WRONG_GENERATION', { checkpoint: { generation: 3 } }),
      invalid('another parent', 'MEMORY_WRONG_GENERATION', {
        checkpoint: { parentCheckpointHash: sha256Hex('generation 0') },
      }),
      invalid('a key it is not sealed to', 'SEALED_NOT_FOR_KEY', { key: 'eve' }),
      invalid('an old memory in a new generation', 'SEALED_CONTEXT_MISMATCH', {
        document: { ...manifest, generation: 3 },
      }),
      invalid('a missing chunk', 'MEMORY_CHUNK_MISSING', { chunk: { index: 1, change: 'missing' } }),
      invalid('a changed chunk', 'MEMORY_CHUNK_MISMATCH', { chunk: { index: 1, change: 'flipped' } }),
      invalid('a chunk cut short', 'MEMORY_CHUNK_MISMATCH', { chunk: { index: 1, change: 'cut' } }),
      invalid('another chunk in its place', 'MEMORY_CHUNK_MISMATCH', {
        chunk: { index: 1, change: 'swapped' },
      }),
      invalid('chunks in another order', 'MEMORY_MANIFEST_INCONSISTENT', {
        document: { ...manifest, chunks: [second, first] },
      }),
      invalid('a chunk left out', 'MEMORY_MANIFEST_INCONSISTENT', {
        document: { ...manifest, chunks: [first] },
      }),
      invalid('a chunk of another place, joined by the owner', 'MEMORY_CHUNK_UNREADABLE', {
        document: await joined({ chunks: [first, first], byteLength: 2 * 1_048_576 }),
      }),
      invalid('chunks of an earlier generation, joined by the owner', 'MEMORY_CHUNK_UNREADABLE', {
        document: await joined({ generation: 3, parentCheckpointHash: bundleHash }),
      }),
      invalid('another state, stated by the owner', 'MEMORY_STATE_MISMATCH', {
        document: await joined({ stateRoot: sha256Hex('another') }),
      }),
    ].map((vector) => {
      // Refused by a rule, not because it could not be written.
      if (vector.code !== 'MEMORY_MANIFEST_INCONSISTENT') {
        portableMemory.read(utf8Bytes(vector.manifest));
      }
      return vector;
    }),
  };
}

interface InvalidCase {
  document?: PortableMemory;
  key?: string;
  checkpoint?: Partial<MemoryFacts & { bundleHash: string }>;
  chunk?: { index: number; change: 'missing' | 'flipped' | 'cut' | 'swapped' };
}
