import { ActorId, Hash } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { RuleError } from '../../rule-error.ts';
import { now, requireGuardian, requirePending } from './recovery.ts';

export const approveAgentRecovery = defineAction({
  name: 'approveAgentRecovery',
  summary: 'As a guardian, agree to a pending recovery.',
  roles: ['AGENT'],
  payload: Type.Object(
    { agentId: ActorId, recoveringAgentId: ActorId, requestId: Hash },
    { additionalProperties: false },
  ),
  actor: 'agentId',
  errors: ['RECOVERY_NOT_FOUND', 'NOT_A_GUARDIAN', 'RECOVERY_ALREADY_APPROVED'],
  events: {
    AgentRecoverySupported: 'A guardian agreed to a recovery.',
    AgentRecoveryApproved: 'Enough guardians agree; the protective delay runs.',
  },

  check(context, { agentId, recoveringAgentId, requestId }) {
    const pending = requirePending(context, recoveringAgentId, requestId);
    requireGuardian(pending.request.guardians, agentId);
    if (pending.request.approvals.includes(agentId)) {
      throw new RuleError('RECOVERY_ALREADY_APPROVED', { path: '/payload/agentId' });
    }
    return pending;
  },

  apply({ state, block, emit }, { agentId, recoveringAgentId, requestId }, { recovery, request }) {
    const approvals = [...request.approvals, agentId];
    const reached = request.approved === null && approvals.length >= request.guardians.threshold;
    state.put('recovery', recoveringAgentId, {
      ...recovery,
      request: { ...request, approvals, approved: reached ? now(block) : request.approved },
    });
    emit('AgentRecoverySupported', { agentId, recoveringAgentId, requestId });
    if (reached) emit('AgentRecoveryApproved', { recoveringAgentId, requestId });
  },
});
