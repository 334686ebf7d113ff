import {
  ENVELOPE_KINDS,
  envelopeKind,
  FinalityCertificate,
  Hash,
  Height,
  MerkleProofSchema,
  Receipt,
} from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import {
  BlockDocument,
  BlockListDocument,
  blockListDocument,
  blocksAtDocument,
  makeCursor,
  pageQuery,
  readCursor,
  WHOLE_BLOCKS,
  WholeBlocksDocument,
} from '@netd/documents';
import { ApiError, type Snapshot } from '@netd/engine';
import { byChain, byHeight, immutable, revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { BLOCK, ReadQuery } from '../read-query.ts';
import { problems } from '../schemas.ts';

const DEFAULT_BLOCKS = 20;
const MAX_BLOCKS = 100;
const HEIGHT = '(0|[1-9][0-9]{0,14})';
const heightList = (description: string) =>
  Type.String({
    maxLength: MAX_BLOCKS * 16,
    pattern: `^${HEIGHT}(,${HEIGHT}){0,${MAX_BLOCKS - 1}}$`,
    description,
  });
const BlocksQuery = Type.Object({
  ...pageQuery({ default: DEFAULT_BLOCKS, maximum: MAX_BLOCKS }),
  heights: Type.Optional(
    heightList(
      `The headers of these heights instead, at most ${MAX_BLOCKS} with commas between; those the chain lacks are left out.`,
    ),
  ),
});
const WholeBlocksQuery = Type.Object({
  heights: heightList(
    `At most ${MAX_BLOCKS} heights with commas between. If the answer has fewer blocks, ask for the rest again.`,
  ),
});
const BlockParams = Type.Object({ height: Height });
const BlockQuery = Type.Object({
  events: Type.Optional(
    Type.Enum(['all', 'none'], {
      default: 'all',
      description: '`none`: an empty list.',
    }),
  ),
});
const TransitionParams = Type.Object({ transitionHash: Hash });

const TransitionDocument = exactly(
  {
    schema: Type.Literal('NET-TRANSITION/1'),
    chainId: Type.String(),
    kind: Type.Enum([...ENVELOPE_KINDS]),
    envelope: Type.Object({}, { additionalProperties: true }),
    receipt: Receipt,
    transitionsRoot: Hash,
    proof: MerkleProofSchema,
    certificate: FinalityCertificate,
  },
  { description: 'A committed envelope, its receipt, and the proof that its block holds it.' },
);

export const blockRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof BlocksQuery> }>(
    '/v1/blocks',
    {
      schema: {
        operationId: 'listBlocks',
        tags: ['network'],
        summary: 'Block headers, newest first, and whether they hold',
        querystring: BlocksQuery,
        response: { 200: BlockListDocument, ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_BLOCKS, cursor, heights } = request.query;
      const list = (snapshot: Snapshot): unknown => {
        if (heights !== undefined) {
          // The blocks are one page, so any cursor is refused.
          readCursor('blocks', { heights }, cursor);
          return blocksAtDocument(snapshot, heights.split(',').map(Number));
        }
        const below = readCursor('blocks', {}, cursor);
        return blockListDocument(snapshot, {
          from: Math.min(below === null ? snapshot.height : below - 1, snapshot.height),
          limit,
          cursorOf: (height) => makeCursor('blocks', {}, height),
        });
      };
      return context.send(reply, list, byHeight);
    },
  );

  app.get<{ Querystring: Static<typeof WholeBlocksQuery> }>(
    '/v1/blocks/whole',
    {
      schema: {
        operationId: 'getBlocks',
        tags: ['network'],
        summary: 'Several blocks with transitions, events and certificates',
        querystring: WholeBlocksQuery,
        response: { 200: WholeBlocksDocument, ...problems(404) },
      },
    },
    // Not kept: there are more lists of heights than a cache has room for.
    ({ query }, reply) => context.send(reply, new ReadQuery(WHOLE_BLOCKS, query), revalidate),
  );

  app.get<{ Params: Static<typeof BlockParams>; Querystring: Static<typeof BlockQuery> }>(
    '/v1/blocks/:height',
    {
      schema: {
        operationId: 'getBlock',
        tags: ['network'],
        summary: 'One block: transitions, events and certificate',
        params: BlockParams,
        querystring: BlockQuery,
        response: { 200: BlockDocument, ...problems(404) },
      },
    },
    ({ params, query }, reply) =>
      context.send(reply, new ReadQuery(BLOCK, { ...params, ...query }), byChain),
  );

  app.get<{ Params: Static<typeof TransitionParams> }>(
    '/v1/transitions/:transitionHash',
    {
      schema: {
        operationId: 'getTransition',
        tags: ['network'],
        summary: 'A committed envelope with receipt and inclusion proof',
        params: TransitionParams,
        response: { 200: TransitionDocument, ...problems(404) },
      },
    },
    (request, reply) => {
      const { transitionHash } = request.params;
      const find = (snapshot: Snapshot): unknown => {
        const receipt = snapshot.receipt(transitionHash);
        const proven = snapshot.provenTransition(transitionHash);
        const block = receipt && snapshot.blockAt(receipt.height);
        if (!receipt || !proven || !block) throw new ApiError('TRANSITION_NOT_FOUND');
        return {
          schema: 'NET-TRANSITION/1',
          chainId: block.header.chainId,
          kind: envelopeKind(proven.envelope),
          ...proven,
          receipt,
          certificate: block.certificate,
        };
      };
      return context.send(reply, find, immutable);
    },
  );
};
