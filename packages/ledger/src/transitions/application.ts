/** Agents and humans within the published bounds are approved at once; others wait for an operator. */
import { OperatorApplication } from '@netd/protocol';
import { requireNamePrice } from '../name-price.ts';
import {
  isWithinBounds,
  rawKeyHex,
  requireApplicant,
  requireProfile,
  requireScope,
} from '../actions/operators/application.ts';
import { invite } from '../actions/operators/invitation.ts';
import type { ApplicationRecord } from '../actions/operators/records.ts';
import { putApplication, requireFreeId, reservationOf } from '../actions/operators/reservation.ts';
import { count } from '../counters.ts';
import { requireFreeName } from '../names.ts';
import { requireLastHeight } from '../deadline.ts';
import { requireThat } from '../rule-error.ts';
import { requireSelfSigned, SELF_SIGNED_ERRORS } from '../self-signed.ts';
import { defineTransition, positionOf } from '../transition.ts';

export const application = defineTransition<OperatorApplication, ApplicationRecord>({
  kind: 'application',
  name: 'OperatorApplication',
  summary: 'Apply for a role with an exact scope, in one self-signed request.',
  envelope: OperatorApplication,
  errors: [
    ...SELF_SIGNED_ERRORS,
    'APPLICATION_EXISTS',
    'APPLICATION_EXPIRED',
    'APPLICATION_EXPIRY_TOO_FAR',
    'AUTHORITY_REVOKED',
    'AUTHORITY_INACTIVE',
    'APPLICATION_KEY_MISMATCH',
    'ROLE_ALREADY_HELD',
    'ROLE_UNBONDING',
    'NAME_RESERVED',
    'NAME_TAKEN',
    'ACTOR_ID_RESERVED',
    'KEY_ALREADY_REGISTERED',
    'APPLICATION_PENDING',
    'APPLICATION_SCOPE_INVALID',
    'CAPABILITY_EXPIRED',
    'APPLICATION_PROFILE_INVALID',
    'BOND_TOO_SMALL',
    'CONSENSUS_KEY_PROOF_INVALID',
    'NAME_WORK_MISSING',
    'NAME_DEPOSIT_MISSING',
  ],
  events: ['OperatorApplicationSubmitted', 'OperatorInvitationCreated'],
  duplicate: { code: 'APPLICATION_EXISTS', path: '/applicationId' },

  check(context, submitted) {
    requireSelfSigned(context, submitted);
    const { state, policy, grants, block, rules } = context;
    const { applicationId, actorId, role, publicKey, publicKeyHash, capabilities } =
      submitted.envelope;
    const { expiresAtHeight, profile = {} } = submitted.envelope;
    requireThat(!state.get('application', applicationId), 'APPLICATION_EXISTS', '/applicationId');
    requireLastHeight(expiresAtHeight, block, {
      path: '/expiresAtHeight',
      passed: 'APPLICATION_EXPIRED',
      ahead: { most: policy.operators.maxLifetime, tooFar: 'APPLICATION_EXPIRY_TOO_FAR' },
    });
    const record: ApplicationRecord = {
      applicationId,
      actorId,
      role,
      publicKey,
      publicKeyHash,
      capabilities,
      profile,
      expiresAtHeight,
      status: 'PENDING',
      submittedAt: positionOf(context),
      invitationId: null,
      reason: null,
    };
    const rawKey = rawKeyHex(publicKey);
    const authority = requireApplicant(context, record, '/actorId');
    // An existing actor already has its name, and its key has just been compared.
    if (!authority) {
      // Under version 1 of the rules, a held name cannot be applied for.
      const holder = rules.atLeast(2) ? { publicKeyHash } : {};
      requireFreeName(state, actorId, { rules, path: '/actorId', ...holder });
      requireFreeId(state, actorId, rawKey, block.height);
    }
    const unfinished = reservationOf(state, `key:${rawKey}`, block.height);
    requireThat(
      !unfinished,
      'APPLICATION_PENDING',
      '/publicKey',
      () => `the application ${unfinished?.applicationId} is unfinished`,
    );
    requireScope(context, { capabilities, role }, '/capabilities');
    requireProfile(context, record);
    // An operator's approval takes the place of the name's price, as it does for reserveName.
    if (authority || !isWithinBounds({ policy, grants }, role, capabilities)) return record;
    const workBits = requireNamePrice(context, submitted);
    return workBits === undefined ? record : { ...record, workBits };
  },

  apply(context, _envelope, record) {
    const { state, policy, grants, transitionHash, emit } = context;
    const { applicationId, actorId, role, publicKeyHash, capabilities, expiresAtHeight } = record;
    putApplication(state, record);
    count(state, 'applications', 1);
    emit('OperatorApplicationSubmitted', { actorId, applicationId, publicKeyHash, role });
    if (!isWithinBounds({ policy, grants }, role, capabilities)) return;
    invite(context, record, {
      invitationId: transitionHash,
      capabilities,
      independenceGroup: null,
      expiresAtHeight,
      approvedBy: null,
    });
  },
});
