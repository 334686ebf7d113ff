/**
 * Somebody applies for a role, with exactly the scope it wants, under the key it is for. Agents and humans within the
 * published bounds are approved in the same transition; everybody else waits for an operator.
 */
import type { ChainPosition, ErrorCode, OperatorApplication } from '@netd/protocol';
import type { ApplicationRecord } from './records.ts';
import type { PolicyRecord } from '../../chain-records.ts';
import { count } from '../../counters.ts';
import { RuleError } from '../../rule-error.ts';
import type { WritableState } from '../../state.ts';
import {
  holder,
  isWithinBounds,
  rawKeyHex,
  requireApplicant,
  requireFreeId,
  requireProfile,
  requireScope,
} from './application.ts';
import { invite } from './invitation.ts';

export const APPLICATION = {
  name: 'OperatorApplication',
  summary: 'Apply for a role with an exact scope, in one self-signed request.',
  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_HASH_MISMATCH',
    'SIGNATURE_INVALID',
    'CHAIN_ID_MISMATCH',
    'APPLICATION_EXISTS',
    'APPLICATION_EXPIRED',
    'APPLICATION_EXPIRY_TOO_FAR',
    'AUTHORITY_REVOKED',
    'AUTHORITY_INACTIVE',
    'APPLICATION_KEY_MISMATCH',
    'ROLE_ALREADY_HELD',
    'ACTOR_ID_RESERVED',
    'KEY_ALREADY_REGISTERED',
    'APPLICATION_PENDING',
    'APPLICATION_SCOPE_INVALID',
    'CAPABILITY_EXPIRED',
    'APPLICATION_PROFILE_INVALID',
    'BOND_TOO_SMALL',
  ] satisfies ErrorCode[],
  events: {
    OperatorApplicationSubmitted: 'Somebody applied for a role.',
    OperatorInvitationCreated: 'An application was approved; its key can claim the invitation.',
  },
} as const;

export interface SelfSignedContext {
  state: WritableState;
  policy: PolicyRecord;
  position: ChainPosition;
  transitionHash: string;
  emit: (type: string, data: Record<string, unknown>) => void;
}

/** @throws RuleError with one of APPLICATION.errors, before anything is written */
export function submitApplication(
  envelope: OperatorApplication,
  { state, policy, position, transitionHash, emit }: SelfSignedContext,
): void {
  const { applicationId, actorId, role, publicKey, publicKeyHash, capabilities } = envelope;
  const { expiresAtHeight } = envelope;
  const current = position.height - 1;
  if (state.get('application', applicationId)) {
    throw new RuleError('APPLICATION_EXISTS', { path: '/applicationId' });
  }
  if (expiresAtHeight <= current) {
    throw new RuleError('APPLICATION_EXPIRED', {
      path: '/expiresAtHeight',
      message: `the current height is ${current}`,
    });
  }
  if (expiresAtHeight > current + policy.operators.maxLifetime) {
    throw new RuleError('APPLICATION_EXPIRY_TOO_FAR', {
      path: '/expiresAtHeight',
      message: `at most ${current + policy.operators.maxLifetime} now`,
    });
  }
  const application: ApplicationRecord = {
    applicationId,
    actorId,
    role,
    publicKey,
    publicKeyHash,
    capabilities,
    profile: envelope.profile ?? {},
    expiresAtHeight,
    status: 'PENDING',
    submittedAt: position,
    invitationId: null,
    reason: null,
  };
  const rawKey = rawKeyHex(publicKey);
  const authority = requireApplicant(state, application, current, '/actorId');
  // An actor that exists is in nobody else's way: its key has just been compared.
  if (!authority) requireFreeId(state, actorId, rawKey, position.height);
  const unfinished = holder(state, `key:${rawKey}`, current);
  if (unfinished) {
    throw new RuleError('APPLICATION_PENDING', {
      path: '/publicKey',
      message: `the application ${unfinished.applicationId} is unfinished`,
    });
  }
  requireScope(capabilities, role, policy, current, '/capabilities');
  requireProfile(state, policy, application);

  state.put('application', applicationId, application);
  state.put('application-hold', `actor:${actorId}`, { applicationId });
  state.put('application-hold', `key:${rawKey}`, { applicationId });
  count(state, 'applications', 1);
  emit('OperatorApplicationSubmitted', { applicationId, actorId, role, publicKeyHash });
  if (isWithinBounds(role, capabilities, policy)) {
    invite(state, application, {
      invitationId: transitionHash,
      capabilities,
      independenceGroup: null,
      expiresAtHeight,
      approvedBy: null,
      issuedAt: position,
      emit,
    });
  }
}
