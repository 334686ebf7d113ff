import { Type } from '@netd/protocol/type';
import { HTML_TYPE } from '../encoded-document.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';
import { headOf } from '../card-routes.ts';
import { sendExplorer } from '../explorer.ts';
import { linkHeader } from '../links.ts';
import { homePage } from '../home-page.ts';
import { linkTo } from '../../own-address.ts';

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
    async (request, reply) => {
      void reply.header('link', linkHeader(context.options.publicUrl));
      if (await sendExplorer(context, request, reply)) return;
      await reply
        .type(HTML_TYPE)
        .headers({ 'cache-control': 'no-cache', vary: 'Accept' })
        .send(homePage(context, headOf(context, request).meta));
    },
  );

  app.get('/v1', { schema: { hide: true } }, (_request, reply) => {
    const { publicUrl } = context.options;
    return reply
      .headers({ link: linkHeader(publicUrl), 'cache-control': 'no-cache' })
      .redirect(linkTo(publicUrl, '/v1/manifest'), 302);
  });
};
