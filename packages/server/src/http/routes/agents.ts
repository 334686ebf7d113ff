import { ActorId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import { Erc8004Registration, erc8004Registration } from '@netd/documents';
import { byHeight } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';

const REGISTER_PATH = '/v1/agents/register';

export const agentRoutes: Routes = (app, context) => {
  // Without this route, that of an agent's record would match the path.
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
        params: exactly({ agentId: ActorId }),
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
};
