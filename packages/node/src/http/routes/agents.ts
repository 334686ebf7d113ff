import { ActorId, AgentRegistration, Receipt } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { Links } from '../../documents/shared/links.ts';
import { noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { writeProblems } from '../schemas.ts';
import { submitEnvelope } from '../submit.ts';

const Registered = Type.Object(
  {
    agentId: ActorId,
    status: Type.Literal('active'),
    height: Type.Integer(),
    blockHash: Type.String(),
    transitionHash: Type.String(),
    receipt: Receipt,
    links: Links,
  },
  {
    title: 'AgentRegistered',
    additionalProperties: false,
    description: 'Authority and active record are committed.',
  },
);

export const agentRoutes: Routes = (app, context) => {
  app.post(
    '/v1/agents/register',
    {
      schema: {
        operationId: 'registerAgent',
        tags: ['agents'],
        summary: 'Join: one self-signed request, no owner',
        body: AgentRegistration,
        response: { 201: Registered, ...writeProblems() },
      },
    },
    async (request, reply) => {
      const { receipt, envelope } = await submitEnvelope(context, request, 'registration');
      const { height, blockHash, transitionHash } = receipt;
      const agentId = (envelope as unknown as AgentRegistration).actorId;
      const answer: Static<typeof Registered> = {
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
      };
      return context.send(reply.code(201).header('location', answer.links.agent), answer, noStore);
    },
  );
};
