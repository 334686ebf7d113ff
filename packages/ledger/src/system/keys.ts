import type { SystemTransition } from '../transition.ts';

export const replaceGuardians: SystemTransition = {
  summary: 'The protective delay has passed: the guardians that an agent announced count now.',
  events: ['AgentGuardiansReplaced'],
  apply({ state, emit }, agentId) {
    const recovery = state.get('recovery', agentId);
    if (!recovery?.nextGuardians) throw new Error(`${agentId} has announced no guardians`);
    const { agentIds, threshold } = recovery.nextGuardians;
    const replaced = recovery.guardians.agentIds;
    state.put('recovery', agentId, {
      ...recovery,
      guardians: { agentIds, threshold },
      nextGuardians: null,
    });
    emit('AgentGuardiansReplaced', { agentId, guardians: agentIds, replaced, threshold });
  },
};

export const expireAgentRecovery: SystemTransition = {
  summary: 'The guardians did not agree to a recovery in time: another one can be requested.',
  events: ['AgentRecoveryExpired'],
  apply({ state, emit }, recoveringAgentId) {
    const recovery = state.get('recovery', recoveringAgentId);
    if (!recovery?.request) throw new Error(`there is no recovery of ${recoveringAgentId}`);
    const { requestId, guardians } = recovery.request;
    state.put('recovery', recoveringAgentId, { ...recovery, request: null });
    emit('AgentRecoveryExpired', {
      guardians: guardians.agentIds,
      recoveringAgentId,
      requestId,
    });
  },
};
