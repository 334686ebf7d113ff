import {
  ENVELOPE_KINDS,
  envelopeKind,
  FinalityCertificate,
  Hash,
  Height,
  MerkleProofSchema,
  Receipt,
  sha256Hex,
} from '@netd/protocol';
import Type, { type Static } from 'typebox';
import {
  BlockDocument,
  blockText,
  BlockListDocument,
  blockListDocument,
} from '../../documents/blocks.ts';
import type { Routes } from '../context.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { sendProblem } from '../problem.ts';
import { found, pageQuery, problems } from '../schemas.ts';

const DEFAULT_BLOCKS = 20;
const BlocksQuery = Type.Object(pageQuery({ default: DEFAULT_BLOCKS, maximum: 100 }));
const BlockParams = Type.Object({ height: Height });
const TransitionParams = Type.Object({ transitionHash: Hash });

const TransitionDocument = Type.Object(
  {
    schema: Type.Literal('NET-TRANSITION/1'),
    kind: Type.Enum([...ENVELOPE_KINDS]),
    envelope: Type.Object({}, { additionalProperties: true }),
    receipt: Receipt,
    transitionsRoot: Hash,
    proof: MerkleProofSchema,
    certificate: FinalityCertificate,
  },
  {
    additionalProperties: false,
    description: 'A committed envelope, its receipt, and the proof that its block holds it.',
  },
);

export const blockRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof BlocksQuery> }>(
    '/v1/blocks',
    {
      schema: {
        operationId: 'listBlocks',
        tags: ['network'],
        summary: 'Block headers, newest first, with a verification summary',
        querystring: BlocksQuery,
        response: { ...found(BlockListDocument), ...problems() },
      },
    },
    (request, reply) => {
      const { limit = DEFAULT_BLOCKS, cursor } = request.query;
      const below = readCursor('blocks', {}, cursor);
      return context.document(request, reply, (snapshot) =>
        blockListDocument(snapshot, {
          from: Math.min(below === null ? snapshot.height : below - 1, snapshot.height),
          limit,
          cursorOf: (height) => makeCursor('blocks', {}, height),
        }),
      );
    },
  );

  app.get<{ Params: Static<typeof BlockParams> }>(
    '/v1/blocks/:height',
    {
      schema: {
        operationId: 'getBlock',
        tags: ['network'],
        summary: 'One block with its transitions, events and certificate',
        params: BlockParams,
        response: { ...found(BlockDocument), ...problems(404) },
      },
    },
    (request, reply) => {
      const { height } = request.params;
      const text = context.read((snapshot) => blockText(snapshot, height));
      if (text === null) return sendProblem(reply, 'BLOCK_NOT_FOUND');
      return context.settled(request, reply, text);
    },
  );

  app.get<{ Params: Static<typeof TransitionParams> }>(
    '/v1/transitions/:transitionHash',
    {
      schema: {
        operationId: 'getTransition',
        tags: ['network'],
        summary: 'A committed envelope with receipt and inclusion proof',
        params: TransitionParams,
        response: { ...found(TransitionDocument), ...problems(404) },
      },
    },
    (request, reply) => {
      const { transitionHash } = request.params;
      const document = context.read((snapshot) => {
        const receipt = snapshot.receipt(transitionHash);
        const proven = snapshot.provenTransition(transitionHash, sha256Hex);
        const block = receipt && snapshot.blockAt(receipt.height);
        return (
          receipt &&
          proven &&
          block && {
            schema: 'NET-TRANSITION/1',
            kind: envelopeKind(proven.envelope),
            ...proven,
            receipt,
            certificate: block.certificate,
          }
        );
      });
      if (!document) return sendProblem(reply, 'TRANSITION_NOT_FOUND');
      return context.immutable(request, reply, document);
    },
  );
};
