import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';
import Type from 'typebox';

export const openApiRoutes: Routes = (app, context) => {
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        tags: ['node'],
        summary: 'This description',
        response: {
          200: Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                'The OpenAPI 3.1 description, made from the schemas that the routes run on.',
            },
          ),
          ...problems(),
        },
      },
    },
    // Through JSON once: schema objects carry members that only matter to their library.
    (_request, reply) =>
      context.send(reply, () => JSON.parse(JSON.stringify(app.swagger())) as unknown, byChain),
  );
};
