import { ActorId, Hash, HttpsUri, RecordId } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { RuleError } from '../../rule-error.ts';
import { MEMORY_ENCRYPTIONS, MEMORY_SERIALIZER } from './memory.ts';

export const MemoryCheckpoint = Type.Object(
  {
    agentId: ActorId,
    checkpointId: Type.String({ ...RecordId, description: 'Never used before, by anybody.' }),
    generation: Type.Integer({ minimum: 1, description: 'The previous generation plus 1.' }),
    parentCheckpointHash: Type.Union([Hash, Type.Null()], {
      description: 'Null for generation 1, else checkpointHash of the previous generation.',
    }),
    checkpointHash: Hash,
    stateRoot: Hash,
    chunksRoot: Hash,
    serializer: Type.Literal(MEMORY_SERIALIZER),
    encryption: Type.Enum([...MEMORY_ENCRYPTIONS]),
    byteLength: Type.Integer({ minimum: 1 }),
    chunkCount: Type.Integer({ minimum: 1 }),
    barrier: Type.Object(
      { lastInputSequence: Type.Integer(), lastOutputSequence: Type.Integer() },
      { additionalProperties: false, description: 'What the memory has taken in and given out.' },
    ),
    storageReplicas: Type.Array(
      Type.Object(
        {
          providerId: Type.String({ minLength: 1, maxLength: 128 }),
          uri: HttpsUri,
          bundleHash: Hash,
        },
        { additionalProperties: false },
      ),
      { minItems: 2, description: 'Each with another provider.' },
    ),
  },
  {
    additionalProperties: false,
    description: 'The commitment to an encrypted checkpoint of an agent’s memory.',
  },
);
export type MemoryCheckpoint = Static<typeof MemoryCheckpoint>;

export const commitMemoryCheckpoint = defineAction({
  name: 'commitMemoryCheckpoint',
  summary: 'Commit to an encrypted checkpoint of the own memory, the next generation of it.',
  roles: ['AGENT'],
  payload: MemoryCheckpoint,
  actor: 'agentId',
  bareActor: 'agentId',
  errors: [
    'MEMORY_CHECKPOINT_ID_USED',
    'MEMORY_GENERATION_MISMATCH',
    'MEMORY_PARENT_MISMATCH',
    'MEMORY_REPLICAS_NOT_DISTINCT',
  ],
  events: { MemoryCheckpointCommitted: 'An agent committed to a generation of its memory.' },

  check({ state }, checkpoint) {
    const { agentId, checkpointId, generation, parentCheckpointHash } = checkpoint;
    if (state.get('memory-checkpoint', checkpointId)) {
      throw new RuleError('MEMORY_CHECKPOINT_ID_USED', { path: '/payload/checkpointId' });
    }
    const memory = state.get('memory', agentId);
    const expected = (memory?.generation ?? 0) + 1;
    if (generation !== expected) {
      throw new RuleError('MEMORY_GENERATION_MISMATCH', {
        path: '/payload/generation',
        message: `the next one is ${expected}`,
      });
    }
    if (parentCheckpointHash !== (memory?.checkpointHash ?? null)) {
      throw new RuleError('MEMORY_PARENT_MISMATCH', { path: '/payload/parentCheckpointHash' });
    }
    const providers = checkpoint.storageReplicas.map(({ providerId }) => providerId);
    if (new Set(providers).size !== providers.length) {
      throw new RuleError('MEMORY_REPLICAS_NOT_DISTINCT', { path: '/payload/storageReplicas' });
    }
    return memory;
  },

  apply({ state, block, index, transitionHash, emit }, checkpoint, memory) {
    const { agentId, checkpointId, generation, checkpointHash, stateRoot } = checkpoint;
    state.put('memory-checkpoint', checkpointId, {
      checkpoint,
      committedAt: { height: block.height, index },
      transitionHash,
    });
    state.put('memory', agentId, {
      agentId,
      generation,
      checkpointId,
      checkpointHash,
      openHandoverId: memory?.openHandoverId ?? null,
      activeRuntime: memory?.activeRuntime ?? null,
    });
    count(state, 'memory-checkpoints', 1);
    emit('MemoryCheckpointCommitted', {
      agentId,
      checkpointId,
      generation,
      checkpointHash,
      stateRoot,
    });
  },
});
