import { ActorId, RecordId } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { endHandover, requireOwnHandover } from './handover.ts';

export const abortMemoryHandover = defineAction({
  name: 'abortMemoryHandover',
  summary: 'Give up an open handover; the active runtime stays what it is.',
  roles: ['AGENT'],
  payload: Type.Object({ agentId: ActorId, handoverId: RecordId }, { additionalProperties: false }),
  actor: 'agentId',
  errors: ['MEMORY_HANDOVER_UNKNOWN', 'NOT_HANDOVER_AGENT', 'MEMORY_HANDOVER_STATUS'],
  events: { MemoryHandoverAborted: 'An agent gave up a handover.' },

  check({ state, block }, payload) {
    return requireOwnHandover(state, payload, block.height - 1, ['PREPARED', 'TARGET_RESTORED']);
  },

  apply({ state, block, index, emit }, { agentId, handoverId }, handover) {
    endHandover(state, handover, {
      status: 'ABORTED',
      abortCause: 'AGENT',
      endedAt: { height: block.height, index },
    });
    emit('MemoryHandoverAborted', { agentId, handoverId, actorId: handover.targetProviderId });
  },
});
