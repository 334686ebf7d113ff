import { ActorId, Hash, RecordId, Uri } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';

export const MEMORY_SERIALIZER = 'NET-PORTABLE-MEMORY/1';
export const MemoryEncryption = Type.Enum(['AES-256-GCM', 'XCHACHA20-POLY1305'], {
  title: 'MemoryEncryption',
});

export const MemoryCheckpoint = Type.Object(
  {
    agentId: ActorId,
    checkpointId: Type.String({ ...RecordId, description: 'Never used before, by any agent.' }),
    generation: Type.Integer({ minimum: 1, description: 'The previous generation plus 1.' }),
    parentCheckpointHash: orNull(
      Hash,
      'Null for generation 1, else checkpointHash of the previous generation.',
    ),
    checkpointHash: Hash,
    stateRoot: Hash,
    chunksRoot: Hash,
    serializer: Type.Literal(MEMORY_SERIALIZER),
    encryption: MemoryEncryption,
    byteLength: Type.Integer({ minimum: 1 }),
    chunkCount: Type.Integer({ minimum: 1 }),
    barrier: Type.Object(
      { lastInputSequence: Type.Integer(), lastOutputSequence: Type.Integer() },
      { additionalProperties: false, description: 'What the memory has taken in and given out.' },
    ),
    storageReplicas: Type.Array(
      exactly({
        providerId: Type.String({ minLength: 1, maxLength: 128 }),
        uri: Uri,
        bundleHash: Hash,
      }),
      { minItems: 2, description: 'Each with another provider.' },
    ),
  },
  {
    additionalProperties: false,
    description: 'The commitment to an encrypted checkpoint of an agent’s memory.',
  },
);
export type MemoryCheckpoint = Static<typeof MemoryCheckpoint>;
