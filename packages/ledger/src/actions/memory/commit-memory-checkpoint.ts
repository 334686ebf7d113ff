import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { MemoryCheckpoint } from './memory-checkpoint.ts';

export const commitMemoryCheckpoint = defineAction({
  name: 'commitMemoryCheckpoint',
  summary: 'Commit to an encrypted checkpoint of your memory, its next generation.',
  grant: { AGENT: 'base' },
  payload: MemoryCheckpoint,
  actor: 'agentId',
  bareActor: 'agentId',
  errors: [
    'MEMORY_CHECKPOINT_ID_USED',
    'MEMORY_GENERATION_MISMATCH',
    'MEMORY_PARENT_MISMATCH',
    'MEMORY_REPLICAS_NOT_DISTINCT',
  ],
  events: ['MemoryCheckpointCommitted'],

  check({ state }, checkpoint) {
    const { agentId, checkpointId, generation, parentCheckpointHash } = checkpoint;
    requireThat(
      !state.get('memory-checkpoint', checkpointId),
      'MEMORY_CHECKPOINT_ID_USED',
      '/payload/checkpointId',
    );
    const memory = state.get('memory', agentId);
    const expected = (memory?.generation ?? 0) + 1;
    requireThat(
      generation === expected,
      'MEMORY_GENERATION_MISMATCH',
      '/payload/generation',
      () => `the next one is ${expected}`,
    );
    requireThat(
      parentCheckpointHash === (memory?.checkpointHash ?? null),
      'MEMORY_PARENT_MISMATCH',
      '/payload/parentCheckpointHash',
    );
    const providers = checkpoint.storageReplicas.map(({ providerId }) => providerId);
    requireThat(
      new Set(providers).size === providers.length,
      'MEMORY_REPLICAS_NOT_DISTINCT',
      '/payload/storageReplicas',
    );
    return memory;
  },

  apply(context, checkpoint, memory) {
    const { state, transitionHash, emit } = context;
    const { agentId, checkpointId, generation, checkpointHash, stateRoot } = checkpoint;
    state.put('memory-checkpoint', checkpointId, {
      checkpoint,
      committedAt: positionOf(context),
      transitionHash,
    });
    state.put('memory', agentId, {
      activeRuntime: memory?.activeRuntime ?? null,
      agentId,
      checkpointHash,
      checkpointId,
      generation,
      openHandoverId: memory?.openHandoverId ?? null,
    });
    count(state, 'memory-checkpoints', 1);
    emit('MemoryCheckpointCommitted', {
      agentId,
      checkpointHash,
      checkpointId,
      generation,
      stateRoot,
    });
  },
});
