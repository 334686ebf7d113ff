import { TokenHolderRecord, TokenId, TokenRecord } from '@netd/ledger';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError } from '@netd/engine/reads';
import { proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

const TOP_HOLDERS = 100;

const CustomToken = exactly(
  {
    ...TokenRecord.properties,
    kind: Type.Enum(['FUNGIBLE', 'NFT'], { description: 'NFT: decimals 0 and supplyCap 1.' }),
  },
  { title: 'CustomToken' },
);
const { tokenId: _, ...Holder } = TokenHolderRecord.properties;

export const tokenRegistry = defineDocument({
  name: 'NET-TOKEN-REGISTRY/1',
  route: '/v1/tokens',
  operationId: 'listTokens',
  tag: 'tokens',
  summary: 'Custom tokens',
  description: 'Custom tokens.',
  query: PAGE_QUERY,
  content: {
    tokens: Type.Array(CustomToken),
    ...PAGE_CONTENT,
  },
  build: (snapshot, page) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'token', {
      list: 'tokens',
      page,
      total: counterOf(snapshot, 'tokens'),
    });
    return {
      total,
      tokens: items.map(describe),
      nextCursor,
    };
  },
});

export const tokenDetail = defineDocument({
  name: 'NET-TOKEN-DETAIL/1',
  route: '/v1/tokens/:tokenId',
  operationId: 'getCustomToken',
  tag: 'tokens',
  summary: 'One custom token: supply, mint authority, top holders',
  description: 'One custom token with its supply, mint authority and top holders.',
  path: { tokenId: TokenId },
  canMiss: true,
  content: {
    token: CustomToken,
    topHolders: Type.Array(exactly(Holder), {
      description: `The largest ${TOP_HOLDERS} at most, largest first, equals by actor id.`,
    }),
  },
  build: (snapshot, { tokenId }) => {
    const token = snapshot.get('token', tokenId);
    if (!token) throw new ApiError('TOKEN_NOT_FOUND');
    return {
      token: describe(token),
      topHolders: snapshot
        .top('token-holder', 'token-holders', { value: tokenId, limit: TOP_HOLDERS })
        .map(({ actorId, amount }) => ({ actorId, amount })),
      links: { proof: proofLink('token', tokenId) },
    };
  },
});

function describe(token: TokenRecord): Static<typeof CustomToken> {
  return { ...token, kind: token.decimals === 0 && token.supplyCap === 1 ? 'NFT' : 'FUNGIBLE' };
}
