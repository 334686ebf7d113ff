/** Registers an agent under its own key, without any prior authority. No owner is assigned. */
import { AgentRegistration } from '@netd/protocol';
import { installAgent } from '../actions/agents/install-agent.ts';
import { requireNamePrice } from '../name-price.ts';
import { reserveKey } from '../known-keys.ts';
import { rawKeyHex } from '../actions/operators/application.ts';
import { requireFreeId } from '../actions/operators/reservation.ts';
import { countForAgent } from '../agent-stats.ts';
import { count } from '../counters.ts';
import { requireFreeName, takeName } from '../names.ts';
import { putAuthority } from '../authority.ts';
import { requireThat } from '../rule-error.ts';
import {
  requireGenesisHashAllowed,
  requireSelfSigned,
  SELF_SIGNED_ERRORS,
} from '../self-signed.ts';
import type { ReadableState } from '../state.ts';
import { defineTransition, positionOf } from '../transition.ts';

export const registration = defineTransition<AgentRegistration, { workBits: number | undefined }>({
  kind: 'registration',
  name: 'AgentRegistration',
  summary: 'Register an agent under its own new key, in one self-signed request.',
  envelope: AgentRegistration,
  errors: [
    ...SELF_SIGNED_ERRORS,
    'RULES_NOT_ACTIVE',
    'AGENT_EXISTS',
    'NAME_RESERVED',
    'NAME_TAKEN',
    'ACTOR_ID_RESERVED',
    'KEY_ALREADY_REGISTERED',
    'REFERRER_UNKNOWN',
    'REFERRER_INACTIVE',
    'NAME_WORK_MISSING',
    'NAME_DEPOSIT_MISSING',
  ],
  events: ['AgentRegistered', 'ReferralRecorded'],
  duplicate: { code: 'AGENT_EXISTS', path: '/actorId' },

  check(context, submitted) {
    requireSelfSigned(context, submitted);
    requireGenesisHashAllowed(context, submitted.envelope);
    const { state, block, rules } = context;
    const { actorId, publicKey, publicKeyHash, referrerAgentId } = submitted.envelope;
    requireThat(!state.get('authority', actorId), 'AGENT_EXISTS', '/actorId');
    requireFreeName(state, actorId, { rules, path: '/actorId', publicKeyHash });
    requireFreeId(state, actorId, rawKeyHex(publicKey), block.height);
    requireThat(!state.get('key', rawKeyHex(publicKey)), 'KEY_ALREADY_REGISTERED', '/publicKey');
    if (referrerAgentId !== undefined) requireReferrer(state, referrerAgentId);
    return { workBits: requireNamePrice(context, submitted) };
  },

  apply(context, envelope, { workBits }) {
    const { state, emit } = context;
    const { actorId: agentId, publicKey, publicKeyHash, description = '' } = envelope;
    const referrerAgentId = envelope.referrerAgentId ?? null;
    const registeredAt = positionOf(context);
    putAuthority(state, {
      active: true,
      actorId: agentId,
      capabilities: [],
      publicKey,
      publicKeyHash,
      roles: ['AGENT'],
    });
    takeName(state, agentId);
    reserveKey(state, publicKey, agentId);
    installAgent(state, { agentId, description, referrerAgentId, workBits }, registeredAt);
    emit('AgentRegistered', { agentId, publicKeyHash, referrerAgentId });
    if (referrerAgentId === null) return;
    state.put('referral', agentId, {
      agentId,
      qualifyingOrderId: null,
      qualifyingTransitionHash: null,
      referrerAgentId,
      registeredAt,
      status: 'pending',
    });
    count(state, 'referrals', 1);
    countForAgent(state, referrerAgentId, 'referrals');
    emit('ReferralRecorded', { agentId, referrerAgentId, status: 'pending' });
  },
});

function requireReferrer(state: ReadableState, referrerAgentId: string): void {
  const path = '/referrerAgentId';
  const referrer = state.get('agent', referrerAgentId);
  requireThat(referrer, 'REFERRER_UNKNOWN', path);
  requireThat(referrer.status === 'active', 'REFERRER_INACTIVE', path);
}
