import {
  FinalityCertificate,
  Hash,
  Height,
  StateCheckpoint,
  StateChunk,
  StateProof,
} from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, proveState } from '@netd/engine';
import { documentHead } from '@netd/documents';
import { byHeight, immutableOnDisk, revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';

const CheckpointQuery = Type.Object({
  height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The newest checkpoint at or below this height; without it the newest of all.',
    }),
  ),
});
const ChunkParams = Type.Object({ index: Type.Integer({ minimum: 0 }) });
const ChunkQuery = Type.Object({ checkpoint: Hash });
const ProofQuery = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 400,
    pattern: '^[!-~]+$',
    description: 'A state key, for example agent/alice or account/alice.',
  }),
});

const CertifiedProof = exactly(
  {
    schema: Type.Literal('NET-STATE-PROOF/1'),
    chainId: Type.String(),
    ...StateProof.properties,
    height: Height,
    certificate: FinalityCertificate,
  },
  {
    title: 'CertifiedStateProof',
    description: 'Presence or absence of one key under the certified state root.',
  },
);

export const stateRoutes: Routes = (app, context) => {
  const { node } = context;

  app.get<{ Querystring: Static<typeof CheckpointQuery> }>(
    '/v1/state/checkpoint',
    {
      schema: {
        operationId: 'getStateCheckpoint',
        tags: ['state'],
        summary: 'The newest finished checkpoint of the whole state',
        querystring: CheckpointQuery,
        response: { 200: StateCheckpoint, ...problems(404) },
      },
    },
    async (request, reply) => {
      const { height } = request.query;
      const { checkpoints } = node;
      const checkpoint = await (height === undefined
        ? checkpoints.latest()
        : checkpoints.at(height));
      // No checkpoint will be made for a past height.
      if (!checkpoint && height !== undefined && height < context.height) {
        throw new ApiError('CHECKPOINT_NOT_FOUND', {
          message: `No checkpoint at or below height ${height}`,
        });
      }
      if (!checkpoint) {
        throw new ApiError('STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE', { retryAfter: 2 });
      }
      return context.send(reply, checkpoint, revalidate);
    },
  );

  app.get<{ Params: Static<typeof ChunkParams>; Querystring: Static<typeof ChunkQuery> }>(
    '/v1/state/chunks/:index',
    {
      schema: {
        operationId: 'getStateChunk',
        tags: ['state'],
        summary: 'One chunk of a checkpoint',
        params: ChunkParams,
        querystring: ChunkQuery,
        response: { 200: StateChunk, ...problems(404) },
      },
    },
    async (request, reply) => {
      const checkpoint = node.checkpoints.find(request.query.checkpoint);
      if (!checkpoint) throw new ApiError('CHECKPOINT_NOT_FOUND');
      const chunk = await node.checkpoints.chunk(checkpoint, request.params.index);
      if (!chunk) throw new ApiError('CHUNK_NOT_FOUND');
      return context.send(reply, chunk, immutableOnDisk);
    },
  );

  app.get<{ Querystring: Static<typeof ProofQuery> }>(
    '/v1/state/proof',
    {
      schema: {
        operationId: 'getStateProof',
        tags: ['state'],
        summary: 'Proof of presence or absence of a key in the certified state',
        querystring: ProofQuery,
        response: { 200: CertifiedProof, ...problems() },
      },
    },
    (request, reply) =>
      context.send(
        reply,
        (snapshot) => ({
          ...documentHead(snapshot, 'NET-STATE-PROOF/1'),
          ...proveState(snapshot, request.query.key),
        }),
        byHeight,
      ),
  );
};
