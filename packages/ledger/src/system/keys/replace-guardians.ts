import type { SystemTransition } from '../../transition.ts';

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
