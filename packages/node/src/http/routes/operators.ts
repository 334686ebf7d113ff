import {
  ActorId,
  APPLICATION_ROLES,
  InvitationClaim,
  OperatorApplication,
  Receipt,
  RecordId,
} from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { writeProblems } from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const Role = Type.Enum([...APPLICATION_ROLES]);

const Applied = Type.Object(
  {
    applicationId: RecordId,
    actorId: ActorId,
    role: Role,
    status: Type.Enum(['PENDING', 'APPROVED']),
    invitationId: Type.Union([RecordId, Type.Null()], {
      description: 'What to claim, where the published bounds approved at once.',
    }),
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'ApplicationCommitted',
    additionalProperties: false,
    description: 'The application is committed.',
  },
);

const Claimed = Type.Object(
  {
    actorId: ActorId,
    status: Type.Literal('active'),
    invitationId: RecordId,
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'InvitationClaimed',
    additionalProperties: false,
    description: 'The authority is installed.',
  },
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
        response: { 201: Applied, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'application');
      const { applicationId, actorId, role } = envelope as unknown as OperatorApplication;
      const approval = receipt.events.find(({ type }) => type === 'OperatorInvitationCreated');
      const answer: Static<typeof Applied> = {
        applicationId,
        actorId,
        role,
        status: approval ? 'APPROVED' : 'PENDING',
        // The id of an invitation is the hash of the transition that approved: this one.
        invitationId: approval ? receipt.transitionHash : null,
        receipt,
        links: {
          applications: '/v1/operator-applications',
          claim: CLAIM_PATH,
          transition: `/v1/transitions/${receipt.transitionHash}`,
        },
      };
      return context.send(
        reply.code(201).header('location', answer.links.transition),
        answer,
        noStore,
      );
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
        response: { 201: Claimed, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'claim');
      const { invitationId, actorId } = envelope as unknown as InvitationClaim;
      const answer: Static<typeof Claimed> = {
        actorId,
        status: 'active',
        invitationId,
        receipt,
        links: {
          authorityProof: `/v1/state/proof?key=authority/${actorId}`,
          account: `/v1/accounts/${actorId}`,
          transition: `/v1/transitions/${receipt.transitionHash}`,
        },
      };
      return context.send(
        reply.code(201).header('location', answer.links.transition),
        answer,
        noStore,
      );
    },
  );
};
