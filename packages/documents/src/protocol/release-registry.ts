import type { Snapshot } from '@netd/engine/reads';
import { ReleaseRecord } from '@netd/ledger';
import { Height } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

export const Release = exactly(
  {
    ...ReleaseRecord.properties,
    rules: orNull(
      exactly({
        version: Type.Integer({ minimum: 2 }),
        height: Type.Integer({ ...Height, description: 'Of its first block.' }),
        status: Type.Enum(['SCHEDULED', 'ACTIVE']),
      }),
      'The version of the rules that a schedule maps the release to: the next one, or the active one by its artifact hash. Null for all other releases.',
    ),
    links: Links,
  },
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
      releases: items.map((release) => releaseFacts(snapshot, release)),
      nextCursor,
    };
  },
});

export function releaseFacts(snapshot: Snapshot, release: ReleaseRecord): Static<typeof Release> {
  const { releaseId, contributionId } = release;
  return {
    ...release,
    rules: rulesOf(snapshot, release),
    links: {
      contribution: `/v1/protocol/contributions/${contributionId}`,
      proof: proofLink('release', releaseId),
    },
  };
}

function rulesOf(
  snapshot: Snapshot,
  { releaseId, artifactHash }: ReleaseRecord,
): Static<typeof Release>['rules'] {
  const next = snapshot.get('rules-schedule', 'next');
  if (next?.releaseId === releaseId) {
    return { version: next.version, height: next.height, status: 'SCHEDULED' };
  }
  const active = snapshot.get('rules', 'active');
  if (active?.artifactHash !== artifactHash) return null;
  return { version: active.version, height: active.fromHeight, status: 'ACTIVE' };
}
