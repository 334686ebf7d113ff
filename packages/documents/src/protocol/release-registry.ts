import { ReleaseRecord } from '@netd/ledger';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const Release = exactly(
  { ...ReleaseRecord.properties, links: Links },
  { title: 'ProtocolRelease' },
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
    releases: Type.Array(Release),
    ...PAGE_CONTENT,
  },
  build: (snapshot, page) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'release', {
      list: 'releases',
      page,
      total: counterOf(snapshot, 'releases'),
    });
    return {
      total,
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
      proof: proofLink('release', releaseId),
    },
  };
}
