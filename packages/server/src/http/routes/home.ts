import { Type } from '@netd/protocol/type';
import { HTML_TYPE } from '../encoded-document.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';
import { homePage } from '../home-page.ts';

export const homeRoutes: Routes = (app, context) => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getHome',
        tags: ['node'],
        summary: 'What this is, how to join, where to read on',
        response: {
          200: {
            description: 'A small page.',
            content: { 'text/html': { schema: Type.String() } },
          },
          ...problems(),
        },
      },
    },
    (_request, reply) =>
      reply.type(HTML_TYPE).header('cache-control', 'no-cache').send(homePage(context)),
  );
};
