/**
 * State checkpoints in the encoding `net-kv-v1`: pairs ordered by key bytes, each as u32be length and key,
 * u32be length and value. Chunks have exactly chunkSize bytes, except the last.
 */
import { Type, type Static } from './type.ts';
import { hashValue } from './hash.ts';
import { CHECKPOINT_CHUNK_SIZE, MAX_CHECKPOINT_CHUNKS } from './limits.ts';
import { merkleRoot } from './merkle.ts';
import { Hash, Height } from './schemas.ts';

export const StateCheckpoint = Type.Object(
  {
    schema: Type.Literal('NET-STATE-CHECKPOINT/1'),
    chainId: Type.String(),
    height: Height,
    stateRoot: Hash,
    blockHash: Hash,
    certificateHash: Hash,
    encoding: Type.Literal('net-kv-v1'),
    byteLength: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    chunkSize: Type.Literal(CHECKPOINT_CHUNK_SIZE),
    chunkCount: Type.Integer({ minimum: 0 }),
    chunkHashes: Type.Array(Hash, {
      maxItems: MAX_CHECKPOINT_CHUNKS,
      description: 'SHA-256 of the bytes of each chunk, in order.',
    }),
    chunksRoot: Type.String({ description: 'RFC 6962 root over chunkHashes.' }),
    checkpointHash: Hash,
  },
  {
    additionalProperties: false,
    description: 'The whole certified state as a file in chunks, for a node that does not replay.',
  },
);
export type StateCheckpoint = Static<typeof StateCheckpoint>;

export const StateChunk = Type.Object(
  {
    schema: Type.Literal('NET-STATE-CHUNK/1'),
    checkpointHash: Hash,
    index: Type.Integer({ minimum: 0 }),
    hash: Hash,
    data: Type.String({ description: 'The bytes of the chunk, base64.' }),
  },
  { additionalProperties: false, description: 'One piece of the file of a checkpoint.' },
);
export type StateChunk = Static<typeof StateChunk>;

export interface CheckpointSource {
  chainId: string;
  height: number;
  stateRoot: string;
  blockHash: string;
  certificateHash: string;
}

export function makeCheckpoint(
  source: CheckpointSource,
  byteLength: number,
  chunkHashes: readonly string[],
): StateCheckpoint {
  const body = {
    schema: 'NET-STATE-CHECKPOINT/1' as const,
    chainId: source.chainId,
    height: source.height,
    stateRoot: source.stateRoot,
    blockHash: source.blockHash,
    certificateHash: source.certificateHash,
    encoding: 'net-kv-v1' as const,
    byteLength,
    chunkSize: CHECKPOINT_CHUNK_SIZE as typeof CHECKPOINT_CHUNK_SIZE,
    chunkCount: chunkHashes.length,
    chunkHashes: [...chunkHashes],
    chunksRoot: merkleRoot(chunkHashes),
  };
  return { ...body, checkpointHash: hashValue(body) };
}

export function encodePair(key: Uint8Array, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + key.length + value.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, key.length);
  bytes.set(key, 4);
  view.setUint32(4 + key.length, value.length);
  bytes.set(value, 8 + key.length);
  return bytes;
}

/** @throws RangeError if the bytes are truncated or the keys are not strictly ascending */
export function* decodePairs(
  bytes: Uint8Array,
): Generator<{ key: Uint8Array; value: Uint8Array }, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let previous: Uint8Array | null = null;
  let at = 0;
  const field = (): Uint8Array => {
    if (at + 4 > bytes.length) throw new RangeError(`a length is cut short at byte ${at}`);
    const length = view.getUint32(at);
    if (at + 4 + length > bytes.length) throw new RangeError(`a field is cut short at byte ${at}`);
    const data = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return data;
  };
  while (at < bytes.length) {
    const key = field();
    if (previous && compareBytes(previous, key) >= 0)
      throw new RangeError('the keys are not in order');
    previous = key;
    yield { key, value: field() };
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
