import { ActorId, AgentRegistration } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import { Erc8004Registration, erc8004Registration } from '@netd/documents';
import { byHeight } from '../cache-policy.ts';
import { defineCommitted, sendCommitted } from '../committed.ts';
import type { Routes } from '../context.ts';
import { problems, writeProblems } from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const Registered = defineCommitted(
  'NET-AGENT-REGISTERED/1',
  {
    agentId: ActorId,
    status: Type.Literal('active'),
    height: Type.Integer(),
    blockHash: Type.String(),
    transitionHash: Type.String(),
  },
  { title: 'AgentRegistered', description: 'Authority and active record are committed.' },
);

const REGISTER_PATH = '/v1/agents/register';

export const agentRoutes: Routes = (app, context) => {
  // Otherwise the route of an agent's record would match this path.
  app.get(
    REGISTER_PATH,
    { schema: { hide: true }, config: { notAllowed: true } },
    (_request, reply) => {
      reply.header('allow', 'OPTIONS, POST');
      throw new ApiError('METHOD_NOT_ALLOWED');
    },
  );

  app.get<{ Params: { agentId: string } }>(
    '/v1/agents/:agentId/erc-8004.json',
    {
      schema: {
        operationId: 'getErc8004Registration',
        tags: ['agents'],
        summary: 'An agent as a registration file of ERC-8004',
        params: Type.Object({ agentId: ActorId }, { additionalProperties: false }),
        response: { 200: Erc8004Registration, ...problems(404) },
      },
    },
    ({ params: { agentId } }, reply) =>
      context.send(
        reply,
        (snapshot) => erc8004Registration(snapshot, agentId, context.options.publicUrl),
        byHeight,
      ),
  );

  app.post(
    REGISTER_PATH,
    {
      schema: {
        operationId: 'registerAgent',
        tags: ['agents'],
        summary: 'Join: one self-signed request, no owner',
        body: AgentRegistration,
        response: { 201: Registered.schema, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'registration');
      const { height, blockHash, transitionHash } = receipt;
      const agentId = (envelope as unknown as AgentRegistration).actorId;
      return sendCommitted(context, reply, Registered, {
        location: `/v1/agents/${agentId}`,
        agentId,
        status: 'active',
        height,
        blockHash,
        transitionHash,
        receipt,
        links: {
          agent: `/v1/agents/${agentId}`,
          transition: `/v1/transitions/${transitionHash}`,
          proof: `/v1/state/proof?key=agent/${agentId}`,
        },
      });
    },
  );
};
