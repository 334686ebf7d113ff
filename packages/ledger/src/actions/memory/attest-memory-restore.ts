import { ActorId, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { requireHandover, requireStatus } from './handover.ts';
import { requireProvider } from './memory.ts';

export const attestMemoryRestore = defineAction({
  name: 'attestMemoryRestore',
  summary: 'State as the target provider of a handover that the memory is restored.',
  grant: { RUNTIME_PROVIDER: 'application' },
  payload: exactly({
    providerId: Type.String({ ...ActorId, description: 'The target provider, who signs.' }),
    handoverId: RecordId,
    restoredStateRoot: Type.String({
      ...Hash,
      description: 'stateRoot of the checkpoint, found again after restoring.',
    }),
  }),
  actor: 'providerId',
  errors: [
    'MEMORY_HANDOVER_UNKNOWN',
    'NOT_HANDOVER_PROVIDER',
    'MEMORY_HANDOVER_STATUS',
    'RUNTIME_PROVIDER_INACTIVE',
    'MEMORY_STATE_ROOT_MISMATCH',
  ],
  events: ['MemoryRestoreAttested'],

  check({ state, block }, { providerId, handoverId, restoredStateRoot }) {
    const handover = requireHandover(state, handoverId, block.height);
    requireThat(
      handover.targetProviderId === providerId,
      'NOT_HANDOVER_PROVIDER',
      '/payload/providerId',
    );
    requireStatus(handover, ['PREPARED']);
    requireProvider(state, providerId, '/payload/providerId');
    requireThat(
      restoredStateRoot === handover.stateRoot,
      'MEMORY_STATE_ROOT_MISMATCH',
      '/payload/restoredStateRoot',
    );
    return handover;
  },

  apply(context, { providerId, handoverId, restoredStateRoot }, handover) {
    const { state, emit } = context;
    state.put('memory-handover', handoverId, {
      ...handover,
      status: 'TARGET_RESTORED',
      restoredAt: positionOf(context),
    });
    const { agentId } = handover;
    emit('MemoryRestoreAttested', { actorId: providerId, agentId, handoverId, restoredStateRoot });
  },
});
