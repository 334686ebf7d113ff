import { DOCUMENTS } from '@netd/documents';
import { byHeight } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { ReadQuery } from '../read-query.ts';
import { problems } from '../schemas.ts';

export const documentRoutes: Routes = (app, context) => {
  for (const document of DOCUMENTS) {
    const { route, operationId, tag, summary, path, query, schema, canMiss } = document;
    app.get<{ Params: Record<string, unknown>; Querystring: Record<string, unknown> }>(
      route,
      {
        schema: {
          operationId,
          tags: [tag],
          summary,
          ...(Object.keys(path.properties).length > 0 ? { params: path } : {}),
          ...(Object.keys(query.properties).length > 0 ? { querystring: query } : {}),
          response: { 200: schema, ...(canMiss ? problems(404) : problems()) },
        },
      },
      (request, reply) =>
        context.send(
          reply,
          new ReadQuery(document.name, { ...request.query, ...request.params }),
          byHeight,
        ),
    );
  }
};
