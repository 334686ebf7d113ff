import { ActorId, Hash } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { clearTimer } from '../../timers.ts';
import { MAX_CANCELLATIONS, requirePending } from './recovery.ts';

export const cancelAgentRecovery = defineAction({
  name: 'cancelAgentRecovery',
  summary: 'Cancel an unwanted recovery of your key; you can do so twice.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({ agentId: ActorId, requestId: Hash }),
  actor: 'agentId',
  errors: ['RECOVERY_NOT_FOUND', 'RECOVERY_CANCELS_EXHAUSTED'],
  events: ['AgentRecoveryCancelled'],

  check(context, { agentId, requestId }) {
    const { recovery, request } = requirePending(context, agentId, requestId);
    requireThat(
      recovery.cancellations < MAX_CANCELLATIONS,
      'RECOVERY_CANCELS_EXHAUSTED',
      '/payload/requestId',
    );
    return { recovery, request };
  },

  apply({ state, emit }, { agentId, requestId }, { recovery, request }) {
    const cancellations = recovery.cancellations + 1;
    state.put('recovery', agentId, { ...recovery, request: null, cancellations });
    clearTimer(state, 'expireAgentRecovery', agentId);
    emit('AgentRecoveryCancelled', {
      agentId,
      cancellations,
      guardians: request.guardians.agentIds,
      requestId,
    });
  },
});
