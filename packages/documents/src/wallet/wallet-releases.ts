import {
  MAX_ATTESTATIONS,
  REQUIRED_WALLET_GROUPS,
  WALLET_CHANNELS,
  WalletDistributionRecord,
  WalletVersion,
} from '@netd/ledger';
import { ChainPosition, Hash } from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { Links } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

const { channel: Channel, status: DistributionStatus } = WalletDistributionRecord.properties;

export const walletRelease = defineDocument({
  name: 'NET-WALLET-RELEASE/1',
  route: '/v1/wallet/releases',
  operationId: 'getWalletReleases',
  tag: 'wallet',
  summary: 'Wallet release channels and the attestations on each',
  description:
    'Release channels of wallets, with the build that independent auditors found there. `links.served` has the build that the node itself serves, with version, day and the SHA-256 of each file; 404 if it serves none.',
  content: {
    status: Type.Enum(['NOTHING_ATTESTED', 'PARTLY_ATTESTED', 'ALL_CHANNELS_ATTESTED']),
    statement: Type.String(),
    attestedChannels: Type.Integer(),
    requiredGroups: Type.Integer({
      description: 'Independence groups of auditors that must have found the same artifact.',
    }),
    channels: Type.Array(
      exactly({
        channel: Channel,
        attested: orNull(
          exactly({ version: WalletVersion, artifactHash: Hash, attestedAt: ChainPosition }),
          'The build last attested; null while there is none.',
        ),
        latest: orNull(
          exactly({
            version: WalletVersion,
            status: DistributionStatus,
            attestations: Type.Integer(),
          }),
          'The version that an auditor looked at first most lately.',
        ),
        links: Links,
      }),
    ),
  },
  build: (snapshot) => {
    const channels = WALLET_CHANNELS.map((channel) => {
      const attested = snapshot.get('wallet-channel', channel);
      const [latest] = snapshot.list('wallet-distribution', 'wallet-distributions-by-channel', {
        value: channel,
        limit: 1,
      }).items;
      return {
        channel,
        attested: attested
          ? {
              version: attested.version,
              artifactHash: attested.artifactHash,
              attestedAt: attested.attestedAt,
            }
          : null,
        latest: latest
          ? {
              version: latest.version,
              status: latest.status,
              attestations: latest.attestations.length,
            }
          : null,
        links: { attestations: `/v1/wallet/distribution-attestations?channel=${channel}` },
      };
    });
    const count = channels.filter(({ attested }) => attested !== null).length;
    return {
      ...standing(count),
      attestedChannels: count,
      requiredGroups: REQUIRED_WALLET_GROUPS,
      channels,
      links: {
        // This node's own build is not on the chain, so the document only links to it.
        served: '/explorer/manifest.json',
        compatibility: '/v1/wallet/compatibility',
        attestations: '/v1/wallet/distribution-attestations',
      },
    };
  },
});

function standing(attested: number): { status: string; statement: string } {
  if (attested === 0) {
    return {
      status: 'NOTHING_ATTESTED',
      statement:
        'No wallet build is attested on any channel, so the chain names none: treat any download that claims to be a wallet of this network as a forgery. The build that a node serves at /wallet is unreleased; links.served names it, with the hash of each file. Keys are held by the command line, the SDKs and the page that a node serves at /wallet, in files on your disk.',
    };
  }
  return {
    status: attested === WALLET_CHANNELS.length ? 'ALL_CHANNELS_ATTESTED' : 'PARTLY_ATTESTED',
    statement: `${attested} of ${WALLET_CHANNELS.length} channels carry a build that auditors of ${REQUIRED_WALLET_GROUPS} groups found there: compare artifactHash with what you downloaded.`,
  };
}

export const walletDistributionRegistry = defineDocument({
  name: 'NET-WALLET-DISTRIBUTION-REGISTRY/1',
  route: '/v1/wallet/distribution-attestations',
  operationId: 'listWalletDistributions',
  tag: 'wallet',
  summary: 'What auditors found published of wallets, by version and channel',
  description: 'Attestations of wallet builds by version and channel.',
  query: { channel: Type.Optional(Channel), ...PAGE_QUERY },
  content: {
    attestedChannels: Type.Integer(),
    requiredGroups: Type.Integer(),
    maxAttestations: Type.Integer(),
    distributions: Type.Array(WalletDistributionRecord),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { channel, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'wallet-distribution', {
      ...(channel === undefined
        ? { list: 'wallet-distributions' }
        : { list: 'wallet-distributions-by-channel', value: channel }),
      filters: { channel: channel ?? null },
      page,
      total: channel === undefined ? counterOf(snapshot, 'wallet-distributions') : null,
    });
    return {
      total,
      attestedChannels: counterOf(snapshot, 'wallet-channels-attested'),
      requiredGroups: REQUIRED_WALLET_GROUPS,
      maxAttestations: MAX_ATTESTATIONS,
      distributions: items,
      nextCursor,
    };
  },
});
