import { FinalityCertificate, Hash, Height, ValidatorSet } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { ValidatorSetChangesDocument } from '@netd/documents';
import { ApiError, setChangesAfter, type Snapshot } from '@netd/engine';
import { byHeight, immutable, revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { EngineAwayError, type EngineLightBlock } from '../served-node.ts';
import { problems } from '../schemas.ts';

const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'A height: the sets that begin later. 0: all changes since genesis.',
    }),
  ),
});
const EngineHeightParams = Type.Object({
  engineHeight: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
/** The block has the same form as in CometBFT's RPC, whose clients verify it. */
const EngineBlockDocument = exactly(
  {
    schema: Type.Literal('NET-ENGINE-BLOCK/1'),
    chainId: Type.String(),
    engineHeight: Height,
    signedHeader: Type.Object({}, { description: 'Header and commit, as /commit of its RPC.' }),
    validators: Type.Array(Type.Object({}), { description: 'As /validators of its RPC.' }),
    consensusParams: Type.Object({}, { description: 'As /consensus_params of its RPC.' }),
  },
  { title: 'EngineBlock' },
);
const CertificateParams = Type.Object({ certificateHash: Hash });

export const consensusRoutes: Routes = (app, context) => {
  app.get(
    '/v1/consensus/certificates/latest',
    {
      schema: {
        operationId: 'getLatestCertificate',
        tags: ['consensus'],
        summary: 'The finality certificate of the newest block',
        response: { 200: FinalityCertificate, ...problems(404) },
      },
    },
    (_request, reply) => context.send(reply, (snapshot) => snapshot.block.certificate, byHeight),
  );

  app.get<{ Params: Static<typeof CertificateParams> }>(
    '/v1/consensus/certificates/:certificateHash',
    {
      schema: {
        operationId: 'getCertificate',
        tags: ['consensus'],
        summary: 'A finality certificate by its hash',
        params: CertificateParams,
        response: { 200: FinalityCertificate, ...problems(404) },
      },
    },
    (request, reply) => {
      const find = (snapshot: Snapshot): FinalityCertificate => {
        const height = snapshot.heightOfCertificate(request.params.certificateHash);
        const block = height === null ? null : snapshot.blockAt(height);
        if (!block) throw new ApiError('CERTIFICATE_NOT_FOUND');
        return block.certificate;
      };
      return context.send(reply, find, immutable);
    },
  );

  app.get(
    '/v1/consensus/validator-set',
    {
      schema: {
        operationId: 'getValidatorSet',
        tags: ['consensus'],
        summary: 'The validators whose votes certify blocks',
        response: { 200: ValidatorSet, ...problems() },
      },
    },
    (_request, reply) =>
      context.send(reply, (snapshot) => snapshot.validatorSetAt(snapshot.height), byHeight),
  );

  app.get<{ Querystring: Static<typeof ChangesQuery> }>(
    '/v1/consensus/validator-set/changes',
    {
      schema: {
        operationId: 'listValidatorSetChanges',
        tags: ['consensus'],
        summary: 'How the set of validators became what it is, each change with its proof',
        querystring: ChangesQuery,
        response: { 200: ValidatorSetChangesDocument, ...problems(400, 503) },
      },
    },
    (request, reply) =>
      context.send(
        reply,
        (snapshot): ValidatorSetChangesDocument => {
          const { height, block } = snapshot;
          return {
            schema: 'NET-VALIDATOR-SET-CHANGES/1',
            chainId: block.header.chainId,
            height,
            validatorSetHash: snapshot.validatorSetAt(height + 1).validatorSetHash,
            ...setChangesAfter(snapshot, request.query.after ?? 0),
          };
        },
        byHeight,
      ),
  );

  app.get<{ Params: Static<typeof EngineHeightParams> }>(
    '/v1/consensus/engine-blocks/:engineHeight',
    {
      schema: {
        operationId: 'getEngineBlock',
        tags: ['consensus'],
        summary:
          'A header of the engine that orders blocks, with what its own light clients verify',
        params: EngineHeightParams,
        response: { 200: EngineBlockDocument, ...problems(404, 503) },
      },
    },
    async (request, reply) => {
      const { engineBlocks } = context.node;
      let block: EngineLightBlock | null = null;
      try {
        block = (await engineBlocks?.lightBlock(request.params.engineHeight)) ?? null;
      } catch (error) {
        if (!(error instanceof EngineAwayError)) throw error;
        throw new ApiError('NODE_NOT_READY', { retryAfter: 1 });
      }
      if (!block) {
        const message = engineBlocks
          ? `The engine has no height ${request.params.engineHeight}, or keeps it no more`
          : 'One validator orders the blocks of this chain: there is no engine with blocks of its own';
        throw new ApiError('BLOCK_NOT_FOUND', { message });
      }
      const { chainId } = context.node.chain.identity;
      const document = { schema: 'NET-ENGINE-BLOCK/1' as const, chainId, ...block };
      return context.send(reply, document, revalidate);
    },
  );
};
