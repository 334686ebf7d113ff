import { ApplicationRecord, InvitationRecord } from '@netd/ledger';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { without } from '../shared/without.ts';

const CLAIM_PATH = '/v1/operator-invitations/claim';

const NOT_REPEATED = ['applicationId', 'actorId', 'role', 'publicKeyHash'] as const;
const NOT_PUBLIC = ['publicKey', 'invitationId'] as const;

const Invitation = exactly({
  ...without(InvitationRecord.properties, ...NOT_REPEATED),
  links: Links,
});
const PublicApplication = exactly({
  ...without(ApplicationRecord.properties, ...NOT_PUBLIC),
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
  query: { status: Type.Optional(ApplicationRecord.properties.status), ...PAGE_QUERY },
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
  return {
    ...without(application, ...NOT_PUBLIC),
    invitation: invitationOf(snapshot, application.invitationId),
    links: { proof: proofLink('application', application.applicationId) },
  };
}

function invitationOf(snapshot: Snapshot, id: string | null): Static<typeof Invitation> | null {
  const invitation = id === null ? undefined : snapshot.get('invitation', id);
  if (!invitation) return null;
  return {
    ...without(invitation, ...NOT_REPEATED),
    links: { claim: CLAIM_PATH, proof: proofLink('invitation', invitation.invitationId) },
  };
}
