/**
 * An envelope that needs no authority yet: an agent brings its own key and becomes an active agent with the
 * base set, an account and perhaps a referrer, in one transition. No owner is assigned.
 */
import {
  bytesToHex,
  rawKeyFromPem,
  type AgentRegistration,
  type ChainPosition,
  type ErrorCode,
} from '@netd/protocol';
import { countForAgent } from '../../agent-tally.ts';
import { RuleError } from '../../rule-error.ts';
import type { WritableState } from '../../state.ts';
import { count } from '../../counters.ts';
import { requireFreeId } from '../operators/application.ts';

export const REGISTRATION = {
  name: 'AgentRegistration',
  summary: 'Register an agent under its own new key, in one self-signed request.',
  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_HASH_MISMATCH',
    'SIGNATURE_INVALID',
    'CHAIN_ID_MISMATCH',
    'AGENT_EXISTS',
    'ACTOR_ID_RESERVED',
    'KEY_ALREADY_REGISTERED',
    'REFERRER_UNKNOWN',
    'REFERRER_INACTIVE',
  ] satisfies ErrorCode[],
  events: {
    AgentRegistered: 'An agent joined.',
    ReferralRecorded: 'The new agent named the agent that recruited it.',
  },
} as const;

export interface RegistrationContext {
  state: WritableState;
  position: ChainPosition;
  emit: (type: string, data: Record<string, unknown>) => void;
}

/** @throws RuleError AGENT_EXISTS, ACTOR_ID_RESERVED, KEY_ALREADY_REGISTERED, REFERRER_UNKNOWN, REFERRER_INACTIVE */
export function registerAgent(
  registration: AgentRegistration,
  { state, position, emit }: RegistrationContext,
): void {
  const { actorId: agentId, publicKey, publicKeyHash: keyHash } = registration;
  if (state.get('authority', agentId)) throw new RuleError('AGENT_EXISTS', { path: '/actorId' });
  const rawKey = bytesToHex(rawKeyFromPem(publicKey) ?? new Uint8Array());
  requireFreeId(state, agentId, rawKey, position.height);
  if (state.get('key', rawKey)) {
    throw new RuleError('KEY_ALREADY_REGISTERED', { path: '/publicKey' });
  }
  const referrerAgentId = registration.referrerAgentId ?? null;
  if (referrerAgentId !== null) {
    const referrer = state.get('agent', referrerAgentId);
    if (!referrer) throw new RuleError('REFERRER_UNKNOWN', { path: '/referrerAgentId' });
    if (referrer.status !== 'active') {
      throw new RuleError('REFERRER_INACTIVE', { path: '/referrerAgentId' });
    }
  }

  state.put('authority', agentId, {
    actorId: agentId,
    publicKey,
    publicKeyHash: keyHash,
    roles: ['AGENT'],
    capabilities: [],
    active: true,
  });
  state.put('key', rawKey, { actorId: agentId });
  installAgent(state, agentId, registration.description ?? '', referrerAgentId, position);
  emit('AgentRegistered', { agentId, publicKeyHash: keyHash, referrerAgentId });
  if (referrerAgentId !== null) {
    state.put('referral', agentId, {
      agentId,
      referrerAgentId,
      status: 'pending',
      registeredAt: position,
      qualifyingTransitionHash: null,
      qualifyingOrderId: null,
    });
    count(state, 'referrals', 1);
    countForAgent(state, referrerAgentId, 'referrals');
    emit('ReferralRecorded', { agentId, referrerAgentId, status: 'pending' });
  }
}

/** The public record of a new agent, its account, and the counts. The authority is the caller's. */
export function installAgent(
  state: WritableState,
  agentId: string,
  description: string,
  referrerAgentId: string | null,
  position: ChainPosition,
): void {
  state.put('agent', agentId, {
    agentId,
    description,
    status: 'active',
    referrerAgentId,
    registeredAt: position,
  });
  if (!state.get('account', agentId)) {
    state.put('account', agentId, { accountId: agentId, balance: 0, faucetReceived: 0 });
  }
  count(state, 'agents', 1);
  count(state, 'active-agents', 1);
}
