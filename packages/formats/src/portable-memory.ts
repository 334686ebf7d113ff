/**
 * NET-PORTABLE-MEMORY/1: an agent's memory as encrypted blobs. A manifest names chunks, each encrypted under
 * a key of this generation. The manifest's hash is `bundleHash`, and the checkpointHash that the next
 * generation names as its parent.
 */
import {
  ActorId,
  bytesToHex,
  canonicalize,
  Hash,
  MAX_MEMORY_CHUNKS,
  MAX_SMALL_DOCUMENT_BYTES,
  MEMORY_CHUNK_BYTES,
  merkleRoot,
  utf8Bytes,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { defineFormat, type Blob } from './document.ts';
import type { EncryptionKey, EncryptionSecret, Keyring } from './encryption-key.ts';
import { FormatError } from './errors.ts';
import {
  openSealed,
  SealedContent,
  sealToRecipients,
  type MemoryKeyContext,
} from './sealed-content.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD = IV_BYTES + TAG_BYTES;
const KEY_BYTES = 32;

export const PortableMemory = Type.Object(
  {
    schema: Type.Literal('NET-PORTABLE-MEMORY/1'),
    agentId: ActorId,
    generation: Type.Integer({ minimum: 1, description: 'The previous generation plus 1.' }),
    parentCheckpointHash: orNull(Hash, 'The hash of the previous manifest; null for generation 1.'),
    encryption: Type.Literal('AES-256-GCM'),
    byteLength: Type.Integer({
      minimum: 1,
      maximum: MAX_MEMORY_CHUNKS * MEMORY_CHUNK_BYTES,
      description: 'Bytes of the plaintext.',
    }),
    chunks: Type.Array(
      exactly({
        hash: Hash,
        byteLength: Type.Integer({
          minimum: OVERHEAD + 1,
          maximum: MEMORY_CHUNK_BYTES + OVERHEAD,
          description: 'Bytes of the blob: iv (12), ciphertext, tag (16).',
        }),
      }),
      {
        minItems: 1,
        maxItems: MAX_MEMORY_CHUNKS,
        description: 'In order; each holds 1 MiB of the plaintext, the last the rest.',
      },
    ),
    chunksRoot: Type.String({ ...Hash, description: 'RFC 6962 over the chunk hashes.' }),
    stateRoot: Type.String({ ...Hash, description: 'SHA-256 of the plaintext.' }),
    key: Type.Object(SealedContent.properties, {
      ...SealedContent,
      description: 'The 32 bytes of the key, sealed to the agent and in a handover to the runtime.',
    }),
  },
  {
    title: 'PortableMemory',
    additionalProperties: false,
    description: 'The manifest of one generation of an agent’s memory.',
  },
);
export type PortableMemory = Static<typeof PortableMemory>;

export const portableMemory = defineFormat(PortableMemory, {
  maxBytes: MAX_SMALL_DOCUMENT_BYTES,
  check: checkManifest,
});

export interface MemoryFacts {
  agentId: string;
  generation: number;
  parentCheckpointHash: string | null;
}

/**
 * Stores the chunks, then the manifest. Returns the manifest and its hash.
 * @param recipients the agent's own key, and in a handover the target runtime's
 */
export async function writeMemory(
  plaintext: Uint8Array,
  facts: MemoryFacts,
  recipients: readonly EncryptionKey[],
  store: (blob: Blob) => Promise<void>,
): Promise<{ bundleHash: string; manifest: PortableMemory }> {
  if (plaintext.length === 0) throw new FormatError('CONTENT_EMPTY');
  const count = Math.ceil(plaintext.length / MEMORY_CHUNK_BYTES);
  if (count > MAX_MEMORY_CHUNKS) throw new FormatError('MEMORY_TOO_LARGE', '', `${count} chunks`);
  const rawKey = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = await importContentKey(rawKey);
  const chunks: PortableMemory['chunks'] = [];
  for (let index = 0; index < count; index++) {
    const start = index * MEMORY_CHUNK_BYTES;
    const part = plaintext.subarray(start, start + MEMORY_CHUNK_BYTES);
    const bytes = await encryptChunk(key, part, facts, index);
    const hash = await digest(bytes);
    await store({ hash, bytes });
    chunks.push({ hash, byteLength: bytes.length });
  }
  const { agentId, generation, parentCheckpointHash } = facts;
  const chunksRoot = merkleRoot(chunks.map(({ hash }) => hash));
  const bound = {
    agentId,
    generation,
    parentCheckpointHash,
    chunksRoot,
    stateRoot: await digest(plaintext),
  };
  const manifest: PortableMemory = {
    schema: 'NET-PORTABLE-MEMORY/1',
    ...bound,
    encryption: 'AES-256-GCM',
    byteLength: plaintext.length,
    chunks,
    key: await sealToRecipients(rawKey, recipients, bound),
  };
  const blob = portableMemory.make(manifest);
  await store(blob);
  return { bundleHash: blob.hash, manifest };
}

/** @throws FormatError also if the manifest is of another agent or generation */
export function readManifest(
  bytes: Uint8Array,
  expected: MemoryFacts & { bundleHash: string },
): PortableMemory {
  const manifest = portableMemory.read(bytes, expected.bundleHash);
  if (manifest.agentId !== expected.agentId)
    throw new FormatError('MEMORY_WRONG_AGENT', '/agentId');
  if (manifest.generation !== expected.generation) {
    throw new FormatError('MEMORY_WRONG_GENERATION', '/generation');
  }
  if (manifest.parentCheckpointHash !== expected.parentCheckpointHash) {
    throw new FormatError('MEMORY_WRONG_GENERATION', '/parentCheckpointHash');
  }
  return manifest;
}

/** @param fetchChunk returns a chunk from any source, since the manifest's hashes verify it */
export async function openMemory(
  manifest: PortableMemory,
  secret: EncryptionSecret | Keyring,
  fetchChunk: (hash: string) => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
  checkManifest(manifest);
  const rawKey = await openSealed(manifest.key, secret, keyContext(manifest));
  if (rawKey.length !== KEY_BYTES) throw new FormatError('SEALED_UNREADABLE', '/key');
  const key = await importContentKey(rawKey as Uint8Array<ArrayBuffer>);
  const plaintext = new Uint8Array(manifest.byteLength);
  for (const [index, { hash, byteLength }] of manifest.chunks.entries()) {
    const path = `/chunks/${index}`;
    const bytes = await fetchChunk(hash);
    if (bytes === null) throw new FormatError('MEMORY_CHUNK_MISSING', path);
    if (bytes.length !== byteLength || (await digest(bytes)) !== hash) {
      throw new FormatError('MEMORY_CHUNK_MISMATCH', path);
    }
    plaintext.set(await decryptChunk(key, bytes, manifest, index), index * MEMORY_CHUNK_BYTES);
  }
  if ((await digest(plaintext)) !== manifest.stateRoot) {
    throw new FormatError('MEMORY_STATE_MISMATCH', '/stateRoot');
  }
  return plaintext;
}

function checkManifest({ byteLength, chunks, chunksRoot }: PortableMemory): void {
  const last = chunks.length - 1;
  const rest = byteLength - last * MEMORY_CHUNK_BYTES;
  for (const [index, chunk] of chunks.entries()) {
    const length = (index === last ? rest : MEMORY_CHUNK_BYTES) + OVERHEAD;
    if (chunk.byteLength !== length) {
      throw new FormatError('MEMORY_MANIFEST_INCONSISTENT', `/chunks/${index}/byteLength`);
    }
  }
  if (merkleRoot(chunks.map(({ hash }) => hash)) !== chunksRoot) {
    throw new FormatError('MEMORY_MANIFEST_INCONSISTENT', '/chunksRoot');
  }
}

function keyContext(manifest: PortableMemory): MemoryKeyContext {
  const { agentId, generation, parentCheckpointHash, chunksRoot, stateRoot } = manifest;
  return { agentId, generation, parentCheckpointHash, chunksRoot, stateRoot };
}

type ContentKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function importContentKey(raw: Uint8Array<ArrayBuffer>): Promise<ContentKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Returns authenticated data, so that a chunk decrypts only for its agent, generation and index. */
function chunkData({ agentId, generation }: MemoryFacts, index: number): Uint8Array<ArrayBuffer> {
  return utf8Bytes(canonicalize({ agentId, generation, index })) as Uint8Array<ArrayBuffer>;
}

async function encryptChunk(
  key: ContentKey,
  part: Uint8Array,
  facts: MemoryFacts,
  index: number,
): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const parameters = { name: 'AES-GCM', iv, additionalData: chunkData(facts, index) };
  const data = part as Uint8Array<ArrayBuffer>;
  const box = await crypto.subtle.encrypt(parameters, key, data);
  const bytes = new Uint8Array(IV_BYTES + box.byteLength);
  bytes.set(iv, 0);
  bytes.set(new Uint8Array(box), IV_BYTES);
  return bytes;
}

async function decryptChunk(
  key: ContentKey,
  bytes: Uint8Array,
  facts: MemoryFacts,
  index: number,
): Promise<Uint8Array> {
  const iv = bytes.slice(0, IV_BYTES);
  const parameters = { name: 'AES-GCM', iv, additionalData: chunkData(facts, index) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes.slice(IV_BYTES)));
  } catch {
    throw new FormatError('MEMORY_CHUNK_UNREADABLE', `/chunks/${index}`);
  }
}

/** Hashes outside this thread, because a megabyte takes long. */
async function digest(bytes: Uint8Array): Promise<string> {
  const data = bytes as Uint8Array<ArrayBuffer>;
  const hash = await crypto.subtle.digest('SHA-256', data);
  return bytesToHex(new Uint8Array(hash));
}
