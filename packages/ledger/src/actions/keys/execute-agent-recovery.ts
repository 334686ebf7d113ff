import { ActorId, Hash } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { clearTimer } from '../../timers.ts';
import { endSessions } from '../sessions/session.ts';
import { installKey } from './key-change.ts';
import { requireGuardian, requirePending } from './recovery.ts';

export const executeAgentRecovery = defineAction({
  name: 'executeAgentRecovery',
  summary:
    'As a guardian, put an approved recovery into force once the protective delay has passed.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({ agentId: ActorId, recoveringAgentId: ActorId, requestId: Hash }),
  actor: 'agentId',
  errors: [
    'RECOVERY_NOT_FOUND',
    'NOT_A_GUARDIAN',
    'RECOVERY_NOT_APPROVED',
    'RECOVERY_DELAY_PENDING',
    'AGENT_RETIRED',
  ],
  events: ['AgentKeyRecovered', 'SessionEnded'],

  check(context, { agentId, recoveringAgentId, requestId }) {
    const { request } = requirePending(context, recoveringAgentId, requestId);
    requireGuardian(request.guardians, agentId);
    requireThat(request.executableAt, 'RECOVERY_NOT_APPROVED', '/payload/requestId');
    requireThat(
      isReached(request.executableAt, context.block),
      'RECOVERY_DELAY_PENDING',
      '/payload/requestId',
    );
    const authority = context.state.get('authority', recoveringAgentId);
    requireThat(
      authority && context.state.get('agent', recoveringAgentId)?.status !== 'retired',
      'AGENT_RETIRED',
      '/payload/recoveringAgentId',
    );
    return { request, authority };
  },

  apply(context, { agentId, recoveringAgentId, requestId }, plan) {
    const { state, emit } = context;
    const hashes = installKey(state, plan.authority, plan.request.newPublicKey);
    clearTimer(state, 'replaceGuardians', recoveringAgentId);
    state.put('recovery', recoveringAgentId, {
      agentId: recoveringAgentId,
      // Keep the guardians of the request, because a thief with the lost key may have replaced them since.
      guardians: plan.request.guardians,
      nextGuardians: null,
      request: null,
      cancellations: 0,
    });
    count(state, 'key-recoveries', 1);
    emit('AgentKeyRecovered', { agentId, recoveringAgentId, requestId, ...hashes });
    endSessions(context, recoveringAgentId, 'KEY_RECOVERED');
  },
});
