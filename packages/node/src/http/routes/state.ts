import {
  FinalityCertificate,
  Hash,
  Height,
  StateCheckpoint,
  StateChunk,
  StateProof,
} from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { proveState } from '../../chain/proofs.ts';
import { byHeight, immutableOnDisk, revalidate } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { sendProblem } from '../problem.ts';
import { found, problems } from '../schemas.ts';

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

const CertifiedProof = Type.Object(
  { ...StateProof.properties, height: Height, certificate: FinalityCertificate },
  {
    title: 'CertifiedStateProof',
    additionalProperties: false,
    description: 'Presence or absence of one key under the certified state root.',
  },
);

export const stateRoutes: Routes = (app, context) => {
  const { node } = context;

  app.get(
    '/v1/state/checkpoint',
    {
      schema: {
        operationId: 'getStateCheckpoint',
        tags: ['state'],
        summary: 'The newest finished checkpoint of the whole state',
        response: { ...found(StateCheckpoint), ...problems() },
      },
    },
    async (_request, reply) => {
      const checkpoint = await node.checkpoints.latest();
      if (!checkpoint) {
        return sendProblem(reply, 'STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE', { retryAfter: 2 });
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
        response: { ...found(StateChunk), ...problems(404) },
      },
    },
    async (request, reply) => {
      const checkpoint = node.checkpoints.find(request.query.checkpoint);
      if (!checkpoint) return sendProblem(reply, 'CHECKPOINT_NOT_FOUND');
      const chunk = await node.checkpoints.chunk(checkpoint, request.params.index);
      if (!chunk) return sendProblem(reply, 'CHUNK_NOT_FOUND');
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
        response: { ...found(CertifiedProof), ...problems() },
      },
    },
    (request, reply) =>
      context.send(
        reply,
        (snapshot) => proveState(snapshot, node.executor.tree, request.query.key),
        byHeight,
      ),
  );
};
