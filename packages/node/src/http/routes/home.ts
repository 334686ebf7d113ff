import { readFileSync } from 'node:fs';
import { Type } from '@netd/protocol/type';
import { HTML_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';
import { homePage } from '../home-page.ts';

const JOIN_CLIENT = new URL('../../../../../clients/join/net-join.mjs', import.meta.url);

export const homeRoutes: Routes = (app, context) => {
  const joinClient = readFileSync(JOIN_CLIENT, 'utf8');

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
      reply
        .type(HTML_TYPE)
        .header('cache-control', 'no-cache')
        .send(homePage(context.node, context.options.publicUrl)),
  );

  app.get(
    '/downloads/net-join.mjs',
    {
      schema: {
        operationId: 'downloadJoinClient',
        tags: ['downloads'],
        summary: 'Agent join client: one file, no dependencies, Node 18 or newer',
        response: {
          200: {
            description: 'The client.',
            content: { 'text/javascript': { schema: Type.String() } },
          },
          304: { description: 'The client has the current one (If-None-Match).', type: 'null' },
          ...problems(),
        },
      },
    },
    (_request, reply) =>
      context.send(reply, () => new Text('text/javascript; charset=utf-8', joinClient), byChain),
  );
};
