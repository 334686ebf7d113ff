import { CapabilityScope, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireLastHeight } from '../../deadline.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import {
  applicationStatus,
  GROUPED_ROLES,
  isCovered,
  requireApplicant,
  requireConsensusKey,
  requireScope,
} from './application.ts';
import { requireBond } from './bonds.ts';
import { invite } from './invitation.ts';

export const createOperatorInvitation = defineAction({
  name: 'createOperatorInvitation',
  summary: 'Approve a pending application: its key can claim what it asked for, or less.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    applicationId: RecordId,
    capabilities: Type.Optional(
      Type.Array(CapabilityScope.items, {
        ...CapabilityScope,
        description: 'A narrower scope; without it, that of the application.',
      }),
    ),
    independenceGroup: Type.Optional(
      Type.String({
        ...RecordId,
        title: 'ShortId',
        maxLength: 64,
        description: 'Required for VERIFIER and AUDITOR: the group that they belong to.',
      }),
    ),
    expiresAtHeight: Type.Optional(
      Type.Integer({ description: 'At most, and unless told, that of the application.' }),
    ),
  }),
  errors: [
    'APPLICATION_UNKNOWN',
    'APPLICATION_NOT_PENDING',
    'APPLICATION_EXPIRED',
    'INVITATION_TOO_WIDE',
    'INVITATION_EXPIRED',
    'INDEPENDENCE_GROUP_INVALID',
    'AUTHORITY_REVOKED',
    'AUTHORITY_INACTIVE',
    'APPLICATION_KEY_MISMATCH',
    'ROLE_ALREADY_HELD',
    'ROLE_UNBONDING',
    'KEY_ALREADY_REGISTERED',
    'APPLICATION_SCOPE_INVALID',
    'CAPABILITY_EXPIRED',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['OperatorInvitationCreated'],

  check(context, payload) {
    const { state, block } = context;
    const path = '/payload/applicationId';
    const application = state.get('application', payload.applicationId);
    requireThat(application, 'APPLICATION_UNKNOWN', path);
    const status = applicationStatus(application, block.height);
    requireThat(status !== 'EXPIRED', 'APPLICATION_EXPIRED', path);
    requireThat(status === 'PENDING', 'APPLICATION_NOT_PENDING', path);
    const {
      capabilities = application.capabilities,
      expiresAtHeight = application.expiresAtHeight,
      independenceGroup = null,
    } = payload;
    requireThat(
      expiresAtHeight <= application.expiresAtHeight,
      'INVITATION_TOO_WIDE',
      '/payload/expiresAtHeight',
      () => `the application expires at ${application.expiresAtHeight}`,
    );
    requireLastHeight(expiresAtHeight, block, {
      path: '/payload/expiresAtHeight',
      passed: 'INVITATION_EXPIRED',
    });
    const wider = capabilities.findIndex((one) => !isCovered(one, application.capabilities));
    requireThat(wider < 0, 'INVITATION_TOO_WIDE', `/payload/capabilities/${wider}`);
    requireThat(
      GROUPED_ROLES.has(application.role) === (independenceGroup !== null),
      'INDEPENDENCE_GROUP_INVALID',
      '/payload/independenceGroup',
    );
    requireApplicant(context, application, path);
    const { role } = application;
    requireScope(context, { capabilities, role }, '/payload/capabilities');
    requireConsensusKey(state, application, path);
    requireBond(state, application, path);
    return { application, capabilities, expiresAtHeight, independenceGroup };
  },

  apply(context, _payload, { application, ...scope }) {
    invite(context, application, {
      ...scope,
      invitationId: context.transitionHash,
      approvedBy: context.authority.actorId,
    });
  },
});
