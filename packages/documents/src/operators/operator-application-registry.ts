import type { ApplicationRecord } from '@netd/ledger';
import {
  ActorId,
  APPLICATION_ROLES,
  ChainPosition,
  Hash,
  Height,
  RecordId,
  ScopedCapability,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const Status = Type.Enum(['PENDING', 'APPROVED', 'CLAIMED', 'REJECTED', 'EXPIRED'], {
  description: 'EXPIRED follows from the height: it was neither claimed nor rejected in time.',
});
const Role = Type.Enum([...APPLICATION_ROLES]);

const Invitation = exactly({
  invitationId: RecordId,
  status: Type.Enum(['OPEN', 'CLAIMED', 'WITHDRAWN', 'EXPIRED']),
  capabilities: Type.Array(ScopedCapability),
  independenceGroup: orNull(Type.String()),
  expiresAtHeight: Height,
  approvedBy: orNull(ActorId, 'The operator who approved; null if the published bounds did.'),
  issuedAt: ChainPosition,
  links: Links,
});

const PublicApplication = exactly({
  applicationId: RecordId,
  actorId: ActorId,
  role: Role,
  publicKeyHash: Hash,
  capabilities: Type.Array(ScopedCapability),
  profile: Type.Object({}, { additionalProperties: true }),
  expiresAtHeight: Height,
  status: Status,
  submittedAt: ChainPosition,
  reason: orNull(Type.String()),
  invitation: orNull(Invitation),
  links: Links,
});

export const operatorApplicationRegistry = defineDocument({
  name: 'NET-OPERATOR-APPLICATION-REGISTRY/1',
  route: '/v1/operator-applications',
  operationId: 'listOperatorApplications',
  tag: 'operators',
  summary: 'Applications for roles and their public status',
  description: 'Operator applications and their public status.',
  query: { status: Type.Optional(Status), ...PAGE_QUERY },
  content: {
    applications: Type.Array(PublicApplication, {
      description: 'Newest first. An expired one says so from the block after its last height on.',
    }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, ...page }) => {
    const filters = { status: status ?? null };
    const { items, total, nextCursor } =
      status === undefined
        ? pageOf(snapshot, 'application', {
            list: 'applications',
            filters,
            page,
            total: counterOf(snapshot, 'applications'),
          })
        : pageOf(snapshot, 'application', {
            list: 'applications-by-status',
            value: status,
            filters,
            page,
          });
    return {
      total,
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
    status: application.status,
    submittedAt,
    reason,
    invitation: invitationOf(snapshot, application),
    links: { proof: proofLink('application', applicationId) },
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
      proof: proofLink('invitation', invitation.invitationId),
    },
  };
}
