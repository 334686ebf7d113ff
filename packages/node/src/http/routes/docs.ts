import { Type } from '@netd/protocol/type';
import { HTML_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { GUIDES } from '../../guides.ts';
import { docsPage } from '../docs-page.ts';
import { guidePage } from '../guide-page.ts';
import { describedOperations } from '../operations.ts';
import { problems } from '../schemas.ts';

export const docsRoutes: Routes = (app, context) => {
  /** While it is made; then the cache has it. */
  let making: Promise<string> | null = null;

  app.get(
    '/docs',
    {
      schema: {
        operationId: 'getDocs',
        tags: ['node'],
        summary: 'Every operation and every action, to browse',
        response: {
          200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      making ??= docsPage(describedOperations()).finally(() => {
        making = null;
      });
      return context.send(reply, new Text(HTML_TYPE, await making), byChain);
    },
  );

  for (const guide of GUIDES) {
    app.get(
      `/docs/guides/${guide.name}`,
      {
        schema: {
          operationId: guide.operationId,
          tags: ['node'],
          summary: `Guide: ${guide.summary}`,
          response: {
            200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } },
            ...problems(),
          },
        },
      },
      (_request, reply) =>
        context.send(reply, () => new Text(HTML_TYPE, guidePage(guide)), byChain),
    );
  }
};
