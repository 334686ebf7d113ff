import { TokenId, type TokenRecord } from '@netd/ledger';
import { ActorId, ChainPosition } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { documentHead, snapshotFacts } from '../../documents/facts.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { sendProblem } from '../problem.ts';
import {
  DEFAULT_PAGE_SIZE,
  documentSchema,
  found,
  NextCursor,
  pageQuery,
  problems,
  SnapshotFacts,
} from '../schemas.ts';

const TokensQuery = Type.Object(pageQuery());
const TokenParams = Type.Object({ tokenId: TokenId });

/** Holders named in the detail of a token. */
const TOP_HOLDERS = 100;

const Amount = Type.Integer({ description: 'In the smallest unit of the token.' });

const CustomToken = Type.Object(
  {
    tokenId: TokenId,
    name: Type.String(),
    symbol: Type.String(),
    kind: Type.Enum(['FUNGIBLE', 'NFT'], { description: 'NFT: decimals 0 and supplyCap 1.' }),
    decimals: Type.Integer(),
    supplyCap: Amount,
    supply: Amount,
    holders: Type.Integer({ description: 'Actors that hold some of it.' }),
    mintAuthority: Type.Union([ActorId, Type.Null()], {
      description: 'Null where nobody can mint any more.',
    }),
    creatorId: ActorId,
    createdAt: ChainPosition,
  },
  { additionalProperties: false },
);

const TokenRegistry = documentSchema(
  'NET-TOKEN-REGISTRY/1',
  {
    snapshot: SnapshotFacts,
    total: Type.Integer(),
    tokens: Type.Array(CustomToken, { description: 'Newest first.' }),
    nextCursor: NextCursor,
  },
  'Custom tokens.',
);

const TokenDetail = documentSchema(
  'NET-TOKEN-DETAIL/1',
  {
    snapshot: SnapshotFacts,
    token: CustomToken,
    topHolders: Type.Array(
      Type.Object({ actorId: ActorId, amount: Amount }, { additionalProperties: false }),
      { description: `The largest ${TOP_HOLDERS} at most, largest first, equals by actor id.` },
    ),
    links: Type.Object({ proof: Type.String() }, { additionalProperties: false }),
  },
  'One custom token with its supply, mint authority and top holders.',
);

export const tokenRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof TokensQuery> }>(
    '/v1/tokens',
    {
      schema: {
        operationId: 'listTokens',
        tags: ['tokens'],
        summary: 'Custom tokens',
        querystring: TokensQuery,
        response: { ...found(TokenRegistry), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, cursor } = request.query;
      const below = readCursor('tokens', {}, cursor);
      return context.document(request, reply, (snapshot) => {
        const page = snapshot.list('token', 'tokens', { below, limit });
        return {
          ...documentHead(snapshot, 'NET-TOKEN-REGISTRY/1'),
          snapshot: snapshotFacts(snapshot),
          total: snapshot.get('counter', 'tokens') ?? 0,
          tokens: page.items.map(describe),
          nextCursor: makeCursor('tokens', {}, page.next),
        };
      });
    },
  );

  app.get<{ Params: Static<typeof TokenParams> }>(
    '/v1/tokens/:tokenId',
    {
      schema: {
        operationId: 'getCustomToken',
        tags: ['tokens'],
        summary: 'One custom token: supply, mint authority, top holders',
        params: TokenParams,
        response: { ...found(TokenDetail), ...problems(404) },
      },
    },
    (request, reply) => {
      const { tokenId } = request.params;
      const known = context.read((snapshot) => snapshot.get('token', tokenId));
      if (!known) return sendProblem(reply, 'TOKEN_NOT_FOUND');
      return context.document(request, reply, (snapshot) => ({
        ...documentHead(snapshot, 'NET-TOKEN-DETAIL/1'),
        snapshot: snapshotFacts(snapshot),
        token: describe(snapshot.get('token', tokenId) ?? known),
        topHolders: snapshot
          .top('token-holder', 'token-holders', { value: tokenId, limit: TOP_HOLDERS })
          .map(({ actorId, amount }) => ({ actorId, amount })),
        links: { proof: `/v1/state/proof?key=token/${tokenId}` },
      }));
    },
  );
};

function describe(token: TokenRecord): Static<typeof CustomToken> {
  return { ...token, kind: token.decimals === 0 && token.supplyCap === 1 ? 'NFT' : 'FUNGIBLE' };
}
