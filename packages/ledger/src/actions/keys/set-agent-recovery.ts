import { ActorId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { deadlineAfter } from '../../deadline.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { guardiansInForce, MAX_GUARDIANS } from './recovery.ts';

export const setAgentRecovery = defineAction({
  name: 'setAgentRecovery',
  summary:
    'Name guardians, of which a threshold can replace the key. The first ones count at once; a change waits the protective delay.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({
    agentId: ActorId,
    guardians: Type.Array(ActorId, {
      maxItems: MAX_GUARDIANS,
      uniqueItems: true,
      description: 'Active agents other than the signer; none to give recovery up.',
    }),
    threshold: Type.Integer({
      minimum: 0,
      maximum: MAX_GUARDIANS,
      description: 'How many must approve: 1 to the number of guardians, 0 with none.',
    }),
  }),
  actor: 'agentId',
  errors: ['RECOVERY_THRESHOLD_INVALID', 'GUARDIAN_UNKNOWN'],
  events: ['AgentRecoverySet'],

  check(context, { agentId, guardians, threshold }) {
    const fits =
      guardians.length === 0 ? threshold === 0 : threshold >= 1 && threshold <= guardians.length;
    requireThat(fits, 'RECOVERY_THRESHOLD_INVALID', '/payload/threshold');
    for (const [index, guardian] of guardians.entries()) {
      requireThat(
        guardian !== agentId && context.state.get('agent', guardian)?.status === 'active',
        'GUARDIAN_UNKNOWN',
        `/payload/guardians/${index}`,
      );
    }
    const recovery = context.state.get('recovery', agentId);
    return recovery ? { ...recovery, guardians: guardiansInForce(recovery, context.block) } : null;
  },

  apply({ state, block, policy, emit }, { agentId, guardians, threshold }, recovery) {
    const chosen = { agentIds: guardians.toSorted(), threshold };
    // The delay protects the present guardians, so the first ones need none.
    const immediate = !recovery || recovery.guardians.agentIds.length === 0;
    const effectiveAt = immediate ? null : deadlineAfter(block, policy.recoveryDelay);
    if (effectiveAt) setTimer(state, 'replaceGuardians', agentId, effectiveAt);
    else clearTimer(state, 'replaceGuardians', agentId);
    state.put('recovery', agentId, {
      agentId,
      cancellations: recovery?.cancellations ?? 0,
      guardians: immediate ? chosen : recovery.guardians,
      nextGuardians: effectiveAt ? { ...chosen, effectiveAt } : null,
      request: recovery?.request ?? null,
    });
    emit('AgentRecoverySet', { agentId, effectiveAt, guardians: chosen.agentIds, threshold });
  },
});
