import { ActorId, Hash } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { RuleError } from '../../rule-error.ts';
import { MAX_CANCELLATIONS, requirePending } from './recovery.ts';

export const cancelAgentRecovery = defineAction({
  name: 'cancelAgentRecovery',
  summary:
    'Stop a recovery of the own key that nobody should have asked for; a key can do so twice.',
  roles: ['AGENT'],
  payload: Type.Object({ agentId: ActorId, requestId: Hash }, { additionalProperties: false }),
  actor: 'agentId',
  errors: ['RECOVERY_NOT_FOUND', 'RECOVERY_CANCELS_EXHAUSTED'],
  events: { AgentRecoveryCancelled: 'The key in force stopped a recovery.' },

  check(context, { agentId, requestId }) {
    const { recovery } = requirePending(context, agentId, requestId);
    if (recovery.cancellations >= MAX_CANCELLATIONS) {
      throw new RuleError('RECOVERY_CANCELS_EXHAUSTED', { path: '/payload/requestId' });
    }
    return recovery;
  },

  apply({ state, emit }, { agentId, requestId }, recovery) {
    const cancellations = recovery.cancellations + 1;
    state.put('recovery', agentId, { ...recovery, request: null, cancellations });
    emit('AgentRecoveryCancelled', { agentId, requestId, cancellations });
  },
});
