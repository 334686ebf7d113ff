import { ActorId, FreeString, PublicKeyPem } from '@netd/protocol';
import Type from 'typebox';
import { defineAction } from '../../action.ts';
import { RuleError } from '../../rule-error.ts';
import { requireNewKey, reserveKey } from './key-change.ts';
import { guardiansInForce, hasLapsed, now, requireGuardian } from './recovery.ts';

export const requestAgentRecovery = defineAction({
  name: 'requestAgentRecovery',
  summary:
    'As a guardian, ask that an agent which lost its key gets a new one; this counts as the first approval.',
  roles: ['AGENT'],
  payload: Type.Object(
    {
      agentId: Type.String({ ...ActorId, description: 'The guardian who signs.' }),
      recoveringAgentId: Type.String({ ...ActorId, description: 'The agent that lost its key.' }),
      newPublicKey: PublicKeyPem,
      newKeySignature: Type.String({
        ...FreeString,
        description:
          'base64 signature of the new key over the canonical JSON of {schema:"NET-KEY-RECOVERY/1", chainId, actorId, newPublicKey}; actorId is the recovering agent.',
      }),
    },
    { additionalProperties: false },
  ),
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
  events: {
    AgentRecoveryRequested: 'A guardian asked for a new key for an agent.',
    AgentRecoveryApproved: 'Enough guardians agree; the protective delay runs.',
  },

  check(context, { agentId, recoveringAgentId, newPublicKey, newKeySignature }) {
    const { state, chain } = context;
    const agent = state.get('agent', recoveringAgentId);
    if (!agent) throw new RuleError('AGENT_UNKNOWN', { path: '/payload/recoveringAgentId' });
    if (agent.status === 'retired') {
      throw new RuleError('AGENT_RETIRED', { path: '/payload/recoveringAgentId' });
    }
    const recovery = state.get('recovery', recoveringAgentId);
    const guardians = recovery && guardiansInForce(recovery, context);
    if (!recovery || !guardians || guardians.agentIds.length === 0) {
      throw new RuleError('RECOVERY_NOT_CONFIGURED', { path: '/payload/recoveringAgentId' });
    }
    requireGuardian(guardians, agentId);
    if (recovery.request && !hasLapsed(recovery.request, context)) {
      throw new RuleError('RECOVERY_PENDING', { path: '/payload/recoveringAgentId' });
    }
    requireNewKey(state, newPublicKey, newKeySignature, {
      schema: 'NET-KEY-RECOVERY/1',
      chainId: chain.chainId,
      actorId: recoveringAgentId,
      newPublicKey,
    });
    return { recovery, guardians };
  },

  apply({ state, block, transitionHash, emit }, payload, { recovery, guardians }) {
    const { agentId, recoveringAgentId, newPublicKey } = payload;
    const approved = guardians.threshold <= 1 ? now(block) : null;
    reserveKey(state, newPublicKey, recoveringAgentId);
    state.put('recovery', recoveringAgentId, {
      ...recovery,
      request: {
        requestId: transitionHash,
        newPublicKey,
        guardians,
        approvals: [agentId],
        requested: now(block),
        approved,
      },
    });
    emit('AgentRecoveryRequested', { agentId, recoveringAgentId, requestId: transitionHash });
    if (approved) emit('AgentRecoveryApproved', { recoveringAgentId, requestId: transitionHash });
  },
});
