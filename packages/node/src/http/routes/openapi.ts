import { JSON_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { readDescription } from '../description.ts';
import { problems } from '../schemas.ts';
import { Type } from '@netd/protocol/type';

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
    (_request, reply) => context.send(reply, descriptionText, byChain),
  );
};

/** The members of the file are in canonical order already, so that writing it shorter makes it canonical. */
const descriptionText = (): Text => new Text(JSON_TYPE, JSON.stringify(readDescription()));
