/**
 * The one envelope that needs no authority yet: an agent brings its own key and becomes an active agent with the
 * base set, an account and perhaps a referrer, in one transition. No owner is assigned.
 */
import {
  bytesToHex,
  publicKeyFault,
  publicKeyHash,
  rawKeyFromPem,
  signatureBytes,
  verifySignature,
  type AgentRegistration,
  type ChainPosition,
  type ErrorCode,
} from '@netd/protocol';
import { RuleError } from '../../rule-error.ts';
import type { WritableState } from '../../state.ts';
import { count } from '../../counters.ts';

export const REGISTRATION = {
  name: 'AgentRegistration',
  summary: 'Register an agent under its own new key, in one self-signed request.',
  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_HASH_MISMATCH',
    'SIGNATURE_INVALID',
    'CHAIN_ID_MISMATCH',
    'AGENT_EXISTS',
    'KEY_ALREADY_REGISTERED',
    'REFERRER_UNKNOWN',
    'REFERRER_INACTIVE',
  ] satisfies ErrorCode[],
  events: {
    AgentRegistered: 'An agent joined.',
    ReferralRecorded: 'The new agent named the agent that recruited it.',
  },
} as const;

/**
 * What the envelope proves by itself: a usable key and possession of it.
 * @throws RuleError PUBLIC_KEY_INVALID, PUBLIC_KEY_HASH_MISMATCH, SIGNATURE_INVALID
 */
export function requireRegistrationProof(
  registration: AgentRegistration,
  signedBytes: Uint8Array,
): void {
  const rawKey = requireDeclaredKey(registration);
  const signature = signatureBytes(registration.signature);
  if (!signature || !verifySignature(rawKey, signedBytes, signature)) {
    throw new RuleError('SIGNATURE_INVALID', { path: '/signature' });
  }
  requireSoundKey(registration.publicKey, '/publicKey');
}

/** The raw key of a registration whose publicKey and publicKeyHash have the right form and agree. */
export function requireDeclaredKey(registration: AgentRegistration): Uint8Array {
  const rawKey = rawKeyFromPem(registration.publicKey);
  if (!rawKey) {
    throw new RuleError('PUBLIC_KEY_INVALID', {
      path: '/publicKey',
      message: 'is not an Ed25519 key as SPKI PEM',
    });
  }
  if (registration.publicKeyHash !== publicKeyHash(registration.publicKey)) {
    throw new RuleError('PUBLIC_KEY_HASH_MISMATCH', { path: '/publicKeyHash' });
  }
  return rawKey;
}

/** The point itself: canonical, on the curve, torsion-free. About a millisecond, so it comes after the signature. */
export function requireSoundKey(publicKey: string, path: string): void {
  const fault = publicKeyFault(publicKey);
  if (fault) {
    throw new RuleError('PUBLIC_KEY_INVALID', {
      path,
      message: `is not a sound Ed25519 key (${fault})`,
    });
  }
}

export interface RegistrationContext {
  state: WritableState;
  position: ChainPosition;
  emit: (type: string, data: Record<string, unknown>) => void;
}

/** @throws RuleError AGENT_EXISTS, KEY_ALREADY_REGISTERED, REFERRER_UNKNOWN, REFERRER_INACTIVE */
export function registerAgent(
  registration: AgentRegistration,
  { state, position, emit }: RegistrationContext,
): void {
  const { actorId: agentId, publicKey, publicKeyHash: keyHash } = registration;
  if (state.get('authority', agentId)) throw new RuleError('AGENT_EXISTS', { path: '/actorId' });
  const rawKey = bytesToHex(rawKeyFromPem(publicKey) ?? new Uint8Array());
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
  state.put('agent', agentId, {
    agentId,
    description: registration.description ?? '',
    status: 'active',
    referrerAgentId,
    registeredAt: position,
  });
  state.put('key', rawKey, { actorId: agentId });
  if (!state.get('account', agentId)) {
    state.put('account', agentId, { accountId: agentId, balance: 0, faucetReceived: 0 });
  }
  count(state, 'agents', 1);
  count(state, 'active-agents', 1);
  emit('AgentRegistered', { agentId, publicKeyHash: keyHash, referrerAgentId });
  if (referrerAgentId !== null) {
    state.put('referral', agentId, {
      agentId,
      referrerAgentId,
      status: 'pending',
      registeredAt: position,
      qualifyingTransitionHash: null,
    });
    count(state, 'referrals', 1);
    emit('ReferralRecorded', { agentId, referrerAgentId, status: 'pending' });
  }
}
