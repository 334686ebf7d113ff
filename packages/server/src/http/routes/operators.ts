import {
  ActorId,
  APPLICATION_ROLES,
  InvitationClaim,
  OperatorApplication,
  RecordId,
} from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { writeProblems } from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const Role = Type.Enum([...APPLICATION_ROLES]);

const Applied = defineCommitted(
  'NET-APPLICATION-COMMITTED/1',
  {
    applicationId: RecordId,
    actorId: ActorId,
    role: Role,
    status: Type.Enum(['PENDING', 'APPROVED']),
    invitationId: Type.Union([RecordId, Type.Null()], {
      description: 'The invitation to claim, if the published bounds approved at once.',
    }),
  },
  { title: 'ApplicationCommitted', description: 'The application is committed.' },
);

const Claimed = defineCommitted(
  'NET-INVITATION-CLAIMED/1',
  {
    actorId: ActorId,
    status: Type.Literal('active'),
    invitationId: RecordId,
  },
  { title: 'InvitationClaimed', description: 'The authority is installed.' },
);

export const operatorRoutes: Routes = (app, context) => {
  app.post(
    '/v1/operator-applications',
    {
      schema: {
        operationId: 'submitOperatorApplication',
        tags: ['operators'],
        summary: 'Apply for a role with an exact scope: one self-signed request',
        body: OperatorApplication,
        response: { 201: Applied.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'application');
      const { applicationId, actorId, role } = envelope as unknown as OperatorApplication;
      const approval = receipt.events.find(({ type }) => type === 'OperatorInvitationCreated');
      return sendCommitted(context, reply, Applied, {
        location: `/v1/transitions/${receipt.transitionHash}`,
        applicationId,
        actorId,
        role,
        status: approval ? 'APPROVED' : 'PENDING',
        // The id of an invitation is the hash of its approving transition.
        invitationId: approval ? receipt.transitionHash : null,
        receipt,
        links: {
          applications: '/v1/operator-applications',
          claim: CLAIM_PATH,
          transition: `/v1/transitions/${receipt.transitionHash}`,
        },
      });
    },
  );

  app.post(
    CLAIM_PATH,
    {
      schema: {
        operationId: 'claimOperatorInvitation',
        tags: ['operators'],
        summary: 'Claim an approved, key-bound invitation: installs the authority',
        body: InvitationClaim,
        response: { 201: Claimed.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'claim');
      const { invitationId, actorId } = envelope as unknown as InvitationClaim;
      return sendCommitted(context, reply, Claimed, {
        location: `/v1/transitions/${receipt.transitionHash}`,
        actorId,
        status: 'active',
        invitationId,
        receipt,
        links: {
          authorityProof: `/v1/state/proof?key=authority/${actorId}`,
          account: `/v1/accounts/${actorId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
        },
      });
    },
  );
};
