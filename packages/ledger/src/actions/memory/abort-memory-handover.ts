import { ActorId, RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { endHandover, requireOwnHandover } from './handover.ts';

export const abortMemoryHandover = defineAction({
  name: 'abortMemoryHandover',
  summary: 'Give up an open handover; the active runtime stays what it is.',
  grant: { AGENT: 'base' },
  payload: exactly({ agentId: ActorId, handoverId: RecordId }),
  actor: 'agentId',
  errors: ['MEMORY_HANDOVER_UNKNOWN', 'NOT_HANDOVER_AGENT', 'MEMORY_HANDOVER_STATUS'],
  events: ['MemoryHandoverAborted'],

  check({ state, block }, payload) {
    return requireOwnHandover(state, payload, block.height, ['PREPARED', 'TARGET_RESTORED']);
  },

  apply(context, { agentId, handoverId }, handover) {
    endHandover(context, handover, { status: 'ABORTED', abortCause: 'AGENT' });
    context.emit('MemoryHandoverAborted', {
      actorId: handover.targetProviderId,
      agentId,
      handoverId,
    });
  },
});
