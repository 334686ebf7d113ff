import { JSON_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import { linkTo } from '../../own-address.ts';
import type { Routes } from '../context.ts';
import { readDescription } from '../description.ts';
import { descriptionPart } from '../description-part.ts';
import { OPENAPI_TAGS } from '../openapi-tags.ts';
import { problems } from '../schemas.ts';
import { Type, type Static } from '@netd/protocol/type';

const DescriptionQuery = Type.Object({
  tag: Type.Optional(
    Type.Enum(
      OPENAPI_TAGS.map(({ name }) => name),
      { description: 'Only the operations of this tag, and what they refer to.' },
    ),
  ),
});

export const openApiRoutes: Routes = (app, context) => {
  app.get<{ Querystring: Static<typeof DescriptionQuery> }>(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        tags: ['node'],
        summary: 'This description, or its part about one topic',
        querystring: DescriptionQuery,
        response: {
          200: Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                'The OpenAPI 3.1 description, made from the schemas that the routes run on; a part is valid by itself.',
            },
          ),
          ...problems(),
        },
      },
    },
    ({ query }, reply) =>
      context.send(reply, () => descriptionText(query.tag, context.options.publicUrl), byChain),
  );
};

/** Compact JSON is canonical here, because the members are in canonical order. */
function descriptionText(tag: string | undefined, publicUrl: string): Text {
  const description = readDescription();
  const url = linkTo(publicUrl, '');
  const whole =
    url === '' ? description : { ...description, servers: [{ description: 'This node', url }] };
  return new Text(
    JSON_TYPE,
    JSON.stringify(tag === undefined ? whole : descriptionPart(whole, tag)),
  );
}
