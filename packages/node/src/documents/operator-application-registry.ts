/** NET-OPERATOR-APPLICATION-REGISTRY/1: who applied for a role, and what became of it. */
import { applicationStatus, type ApplicationRecord } from '@netd/ledger';
import {
  ActorId,
  APPLICATION_ROLES,
  ChainPosition,
  Hash,
  Height,
  RecordId,
  ScopedCapability,
} from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const Status = Type.Enum(['PENDING', 'APPROVED', 'CLAIMED', 'REJECTED', 'EXPIRED'], {
  description: 'EXPIRED follows from the height: it was neither claimed nor rejected in time.',
});
const Role = Type.Enum([...APPLICATION_ROLES]);

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

export const operatorApplicationRegistry = defineDocument({
  name: 'NET-OPERATOR-APPLICATION-REGISTRY/1',
  route: '/v1/operator-applications',
  operationId: 'listOperatorApplications',
  tag: 'operators',
  summary: 'Applications for roles and their public status',
  description: 'Operator applications and their public status.',
  query: { status: Type.Optional(Status), ...PAGE_QUERY },
  content: {
    total: Type.Integer({ description: 'All applications, whatever the filter.' }),
    applications: Type.Array(PublicApplication, {
      description: 'Newest first. With a filter a page may hold fewer than limit and still go on.',
    }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, ...page }) => {
    const filters = { status: status ?? null };
    const { items, nextCursor } =
      status === undefined
        ? pageOf(snapshot, 'application', { list: 'applications', filters, page })
        : pageOf(snapshot, 'application', {
            list: 'applications-by-status',
            // Nothing is written when an application expires, so those stand among the unfinished.
            value: status === 'EXPIRED' ? 'UNFINISHED' : status,
            filters,
            page,
            keep: (application) => applicationStatus(application, snapshot.height) === status,
          });
    return {
      total: snapshot.get('counter', 'applications') ?? 0,
      applications: items.map((application) => publicApplication(snapshot, application)),
      nextCursor,
    };
  },
});

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
