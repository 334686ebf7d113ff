/** NET-PROTOCOL-RELEASE-REGISTRY/1: what was released, and where the attested artifact is to be had. */
import type { ReleaseRecord } from '@netd/ledger';
import { ActorId, ChainPosition, Hash, RecordId } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';

const closed = { additionalProperties: false };

export const Release = Type.Object(
  {
    releaseId: RecordId,
    contributionId: RecordId,
    targetComponent: Type.String(),
    version: Type.String(),
    artifactHash: Hash,
    origins: Type.Array(Type.Object({ uri: Type.String(), artifactHash: Hash }, closed), {
      description: 'As recorded, on hosts that differ; this node never fetches them.',
    }),
    recordedBy: ActorId,
    recordedAt: ChainPosition,
    links: Type.Object({ contribution: Type.String(), proof: Type.String() }, closed),
  },
  closed,
);

export const releaseRegistry = defineDocument({
  name: 'NET-PROTOCOL-RELEASE-REGISTRY/1',
  route: '/v1/protocol/releases',
  operationId: 'listProtocolReleases',
  tag: 'protocol',
  summary: 'Releases of the protocol',
  description:
    'Releases: contributions that two groups built, two groups reviewed, both chambers passed, and at least two origins serve.',
  query: PAGE_QUERY,
  content: {
    total: Type.Integer(),
    releases: Type.Array(Release, { description: 'Newest first.' }),
    ...PAGE_CONTENT,
  },
  build: (snapshot, page) => {
    const { items, nextCursor } = pageOf(snapshot, 'release', { list: 'releases', page });
    return {
      total: snapshot.get('counter', 'releases') ?? 0,
      releases: items.map(releaseFacts),
      nextCursor,
    };
  },
});

export function releaseFacts(release: ReleaseRecord): Static<typeof Release> {
  const { releaseId, contributionId } = release;
  return {
    ...release,
    links: {
      contribution: `/v1/protocol/contributions/${contributionId}`,
      proof: `/v1/state/proof?key=release/${releaseId}`,
    },
  };
}
