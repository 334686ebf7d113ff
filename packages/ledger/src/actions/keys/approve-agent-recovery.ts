import { ActorId, Hash } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { approvedRequest, emitApproved, requireGuardian, requirePending } from './recovery.ts';

export const approveAgentRecovery = defineAction({
  name: 'approveAgentRecovery',
  summary: 'As a guardian, agree to a pending recovery.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({ agentId: ActorId, recoveringAgentId: ActorId, requestId: Hash }),
  actor: 'agentId',
  errors: ['RECOVERY_NOT_FOUND', 'NOT_A_GUARDIAN', 'RECOVERY_ALREADY_APPROVED'],
  events: ['AgentRecoverySupported', 'AgentRecoveryApproved'],

  check(context, { agentId, recoveringAgentId, requestId }) {
    const pending = requirePending(context, recoveringAgentId, requestId);
    requireGuardian(pending.request.guardians, agentId);
    requireThat(
      !pending.request.approvals.includes(agentId),
      'RECOVERY_ALREADY_APPROVED',
      '/payload/agentId',
    );
    return pending;
  },

  apply(context, { agentId, recoveringAgentId, requestId }, { recovery, request }) {
    const { state, emit } = context;
    const { guardians } = request;
    const supported = { ...request, approvals: [...request.approvals, agentId] };
    const reached =
      request.executableAt === null && supported.approvals.length >= guardians.threshold;
    const next = reached ? approvedRequest(context, recoveringAgentId, supported) : supported;
    state.put('recovery', recoveringAgentId, { ...recovery, request: next });
    emit('AgentRecoverySupported', { agentId, recoveringAgentId, requestId });
    if (reached) emitApproved(context, recoveringAgentId, next);
  },
});
