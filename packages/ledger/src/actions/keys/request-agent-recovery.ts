import { ActorId, FreeString, PublicKeyPem } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { deadlineAfter } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { setTimer } from '../../timers.ts';
import { requireNewKey } from './key-change.ts';
import { reserveKey } from '../../known-keys.ts';
import {
  approvedRequest,
  emitApproved,
  guardiansInForce,
  isRequestExpired,
  requireGuardian,
  type PendingRecovery,
} from './recovery.ts';

export const requestAgentRecovery = defineAction({
  name: 'requestAgentRecovery',
  summary:
    'As a guardian, ask that an agent which lost its key gets a new one; this counts as the first approval.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({
    agentId: Type.String({ ...ActorId, description: 'The guardian who signs.' }),
    recoveringAgentId: Type.String({ ...ActorId, description: 'The agent that lost its key.' }),
    newPublicKey: PublicKeyPem,
    newKeySignature: Type.String({
      ...FreeString,
      description:
        'base64 signature of the new key over the canonical JSON of {schema:"NET-KEY-RECOVERY/1", chainId, actorId, newPublicKey}; actorId is the recovering agent.',
    }),
  }),
  actor: 'agentId',
  errors: [
    'AGENT_UNKNOWN',
    'AGENT_RETIRED',
    'RECOVERY_NOT_CONFIGURED',
    'NOT_A_GUARDIAN',
    'RECOVERY_PENDING',
    'PUBLIC_KEY_INVALID',
    'KEY_ALREADY_REGISTERED',
    'ROTATION_SIGNATURE_INVALID',
  ],
  events: ['AgentRecoveryRequested', 'AgentRecoveryApproved'],

  check(context, { agentId, recoveringAgentId, newPublicKey, newKeySignature }) {
    const { state, chain } = context;
    const agent = state.get('agent', recoveringAgentId);
    requireThat(agent, 'AGENT_UNKNOWN', '/payload/recoveringAgentId');
    requireThat(agent.status !== 'retired', 'AGENT_RETIRED', '/payload/recoveringAgentId');
    const recovery = state.get('recovery', recoveringAgentId);
    const guardians = recovery && guardiansInForce(recovery, context.block);
    requireThat(
      recovery && guardians && guardians.agentIds.length !== 0,
      'RECOVERY_NOT_CONFIGURED',
      '/payload/recoveringAgentId',
    );
    requireGuardian(guardians, agentId);
    requireThat(
      !recovery.request || isRequestExpired(recovery.request, context.block),
      'RECOVERY_PENDING',
      '/payload/recoveringAgentId',
    );
    requireNewKey(state, newPublicKey, newKeySignature, {
      schema: 'NET-KEY-RECOVERY/1',
      chainId: chain.chainId,
      actorId: recoveringAgentId,
      newPublicKey,
    });
    return { recovery, guardians };
  },

  apply(context, payload, { recovery, guardians }) {
    const { state, block, policy, transitionHash: requestId, emit } = context;
    const { agentId, recoveringAgentId, newPublicKey } = payload;
    reserveKey(state, newPublicKey, recoveringAgentId);
    const expiresAt = deadlineAfter(block, policy.recoveryDelay);
    const asked: PendingRecovery = {
      approvals: [agentId],
      executableAt: null,
      expiresAt,
      guardians,
      newPublicKey,
      requestId,
    };
    setTimer(state, 'expireAgentRecovery', recoveringAgentId, expiresAt);
    const reached = guardians.threshold <= 1;
    const request = reached ? approvedRequest(context, recoveringAgentId, asked) : asked;
    state.put('recovery', recoveringAgentId, { ...recovery, request });
    emit('AgentRecoveryRequested', {
      agentId,
      guardians: guardians.agentIds,
      recoveringAgentId,
      requestId,
    });
    if (reached) emitApproved(context, recoveringAgentId, request);
  },
});
