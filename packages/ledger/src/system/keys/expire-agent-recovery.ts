import type { SystemTransition } from '../../transition.ts';

export const expireAgentRecovery: SystemTransition = {
  summary: 'The guardians did not agree to a recovery in time: another one can be requested.',
  events: ['AgentRecoveryExpired'],
  apply({ state, emit }, recoveringAgentId) {
    const recovery = state.get('recovery', recoveringAgentId);
    if (!recovery?.request) throw new Error(`nobody recovers ${recoveringAgentId}`);
    const { requestId, guardians } = recovery.request;
    state.put('recovery', recoveringAgentId, { ...recovery, request: null });
    emit('AgentRecoveryExpired', {
      guardians: guardians.agentIds,
      recoveringAgentId,
      requestId,
    });
  },
};
