import { ActorId, RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { countForAgent } from '../../agent-stats.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { endHandover, requireOwnHandover } from './handover.ts';
import { requireProvider } from './memory.ts';

export const finalizeMemoryHandover = defineAction({
  name: 'finalizeMemoryHandover',
  summary: 'Switch to the runtime that has restored your memory.',
  grant: { AGENT: 'base' },
  payload: exactly({ agentId: ActorId, handoverId: RecordId }),
  actor: 'agentId',
  errors: [
    'MEMORY_HANDOVER_UNKNOWN',
    'NOT_HANDOVER_AGENT',
    'MEMORY_HANDOVER_STATUS',
    'RUNTIME_PROVIDER_INACTIVE',
    'MEMORY_HANDOVER_STALE',
  ],
  events: ['MemoryHandoverFinalized'],

  check({ state, block }, payload) {
    const handover = requireOwnHandover(state, payload, block.height, ['TARGET_RESTORED']);
    requireProvider(state, handover.targetProviderId, '/payload/handoverId');
    // If the memory has a newer checkpoint, the target would start from outdated memory.
    const memory = state.get('memory', payload.agentId);
    requireThat(
      memory?.checkpointHash === handover.checkpointHash,
      'MEMORY_HANDOVER_STALE',
      '/payload/handoverId',
      () => `it restored generation ${handover.generation}`,
    );
    return { handover };
  },

  apply(context, { agentId, handoverId }, { handover }) {
    const { state, emit } = context;
    endHandover(context, handover, { status: 'FINALIZED', abortCause: null });
    const memory = state.get('memory', agentId);
    if (!memory) throw new Error(`${agentId} has no memory`);
    const { targetProviderId: providerId, targetRuntimeId: runtimeId } = handover;
    state.put('memory', agentId, {
      ...memory,
      activeRuntime: { handoverId, providerId, runtimeId, since: positionOf(context) },
    });
    count(state, 'finalized-memory-handovers', 1);
    countForAgent(state, agentId, 'finalizedHandovers');
    emit('MemoryHandoverFinalized', { actorId: providerId, agentId, handoverId, runtimeId });
  },
});
