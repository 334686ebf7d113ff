import { applicationStatus, type ApplicationRecord } from '@netd/ledger';
import {
  ActorId,
  APPLICATION_ROLES,
  ChainPosition,
  Hash,
  Height,
  InvitationClaim,
  OperatorApplication,
  Receipt,
  RecordId,
  ScopedCapability,
} from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { documentHead } from '../../documents/facts.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
} from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const Status = Type.Enum(['PENDING', 'APPROVED', 'CLAIMED', 'REJECTED', 'EXPIRED'], {
  description: 'EXPIRED follows from the height: it was neither claimed nor rejected in time.',
});
const Role = Type.Enum([...APPLICATION_ROLES]);

const ApplicationsQuery = Type.Object({ status: Type.Optional(Status), ...pageQuery() });

const Invitation = Type.Object(
  {
    invitationId: RecordId,
    status: Type.Enum(['OPEN', 'CLAIMED', 'WITHDRAWN']),
    capabilities: Type.Array(ScopedCapability),
    independenceGroup: Type.Union([Type.String(), Type.Null()]),
    expiresAtHeight: Height,
    approvedBy: Type.Union([ActorId, Type.Null()], {
      description: 'The operator who approved; null where the published bounds did.',
    }),
    issuedAt: ChainPosition,
    links: Type.Object(
      { claim: Type.String(), proof: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

const PublicApplication = Type.Object(
  {
    applicationId: RecordId,
    actorId: ActorId,
    role: Role,
    publicKeyHash: Hash,
    capabilities: Type.Array(ScopedCapability),
    profile: Type.Object({}, { additionalProperties: true }),
    expiresAtHeight: Height,
    status: Status,
    submittedAt: ChainPosition,
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was rejected.' }),
    invitation: Type.Union([Invitation, Type.Null()]),
    links: Type.Object({ proof: Type.String() }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

const ApplicationList = documentSchema(
  'NET-OPERATOR-APPLICATION-REGISTRY/1',
  {
    total: Type.Integer({ description: 'All applications, whatever the filter.' }),
    applications: Type.Array(PublicApplication, {
      description: 'Newest first. With a filter a page may hold fewer than limit and still go on.',
    }),
    nextCursor: NextCursor,
  },
  'Operator applications and their public status.',
);

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
    links: Type.Object(
      { applications: Type.String(), claim: Type.String(), transition: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'The application is committed.' },
);

const Claimed = Type.Object(
  {
    actorId: ActorId,
    status: Type.Literal('active'),
    invitationId: RecordId,
    receipt: Receipt,
    links: Type.Object(
      { authorityProof: Type.String(), account: Type.String(), transition: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'The authority is installed.' },
);

export const operatorRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof ApplicationsQuery> }>(
    '/v1/operator-applications',
    {
      schema: {
        operationId: 'listOperatorApplications',
        tags: ['operators'],
        summary: 'Applications for roles and their public status',
        querystring: ApplicationsQuery,
        response: { ...found(ApplicationList), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor, status } = request.query;
      const filters = { status: status ?? null };
      const below = readCursor('operator-applications', filters, cursor);
      return context.document(request, reply, (snapshot) => {
        const page =
          status === undefined
            ? snapshot.list('application', 'applications', { below, limit })
            : snapshot.list('application', 'applications-by-status', {
                // Nothing is written when an application expires, so those stand among the unfinished.
                value: status === 'EXPIRED' ? 'UNFINISHED' : status,
                below,
                limit,
                keep: (application) => applicationStatus(application, snapshot.height) === status,
              });
        return {
          ...documentHead(snapshot, 'NET-OPERATOR-APPLICATION-REGISTRY/1'),
          total: snapshot.get('counter', 'applications') ?? 0,
          applications: page.items.map((application) => publicApplication(snapshot, application)),
          nextCursor: makeCursor('operator-applications', filters, page.next),
        };
      });
    },
  );

  app.post(
    '/v1/operator-applications',
    {
      schema: {
        operationId: 'submitOperatorApplication',
        tags: ['operators'],
        summary: 'Apply for a role with an exact scope: one self-signed request',
        body: OperatorApplication,
        response: { 201: Applied, ...problems(409, 413, 415, 429) },
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
      return context.local(reply.header('location', answer.links.transition), answer, 201);
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
        response: { 201: Claimed, ...problems(409, 413, 415, 429) },
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
      return context.local(reply.header('location', answer.links.transition), answer, 201);
    },
  );
};

function publicApplication(
  snapshot: Snapshot,
  application: ApplicationRecord,
): Static<typeof PublicApplication> {
  const { applicationId, actorId, role, publicKeyHash, capabilities, profile } = application;
  const { expiresAtHeight, submittedAt, reason } = application;
  return {
    applicationId,
    actorId,
    role,
    publicKeyHash,
    capabilities,
    profile,
    expiresAtHeight,
    status: applicationStatus(application, snapshot.height),
    submittedAt,
    reason,
    invitation: invitationOf(snapshot, application),
    links: { proof: `/v1/state/proof?key=application/${applicationId}` },
  };
}

function invitationOf(
  snapshot: Snapshot,
  { invitationId }: ApplicationRecord,
): Static<typeof Invitation> | null {
  const invitation = invitationId === null ? undefined : snapshot.get('invitation', invitationId);
  if (!invitation) return null;
  const { status, capabilities, independenceGroup, expiresAtHeight, approvedBy, issuedAt } =
    invitation;
  return {
    invitationId: invitation.invitationId,
    status,
    capabilities,
    independenceGroup,
    expiresAtHeight,
    approvedBy,
    issuedAt,
    links: {
      claim: CLAIM_PATH,
      proof: `/v1/state/proof?key=invitation/${invitation.invitationId}`,
    },
  };
}
