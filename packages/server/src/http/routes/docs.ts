import { Type } from '@netd/protocol/type';
import { ApiError } from '@netd/engine';
import { HTML_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { FORMATS, GUIDES, type Guide } from '../../guides.ts';
import { docsPage } from '../docs-page.ts';
import { describedOperations } from '../operations.ts';
import { problems } from '../schemas.ts';

export const docsRoutes: Routes = (app, context) => {
  /** While it is made; then the cache has it. */
  let making: Promise<string> | null = null;
  /** It brings what makes HTML of Markdown. */
  const guideModule = context.later.add(() => import('../guide-page.ts'));

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

  app.get<{ Params: { name: string } }>(
    '/docs/guides/:name',
    {
      schema: {
        operationId: 'getGuide',
        tags: ['node'],
        summary: `How to do one thing: ${GUIDES.map(({ name }) => name).join(', ')}`,
        params: Type.Object({ name: Type.String({ description: 'Name of the guide.' }) }),
        response: {
          200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } },
          ...problems(404),
        },
      },
    },
    async (request, reply) => {
      const guide = GUIDES.find(({ name }) => name === request.params.name);
      if (!guide) throw new ApiError('ROUTE_NOT_FOUND', { message: 'There is no such guide' });
      return context.send(reply, await pageOf(guide), byChain);
    },
  );

  app.get(
    '/docs/formats',
    {
      schema: {
        operationId: 'getFormats',
        tags: ['node'],
        summary: 'The documents behind the hashes: scopes, metadata, sealed content, memory',
        response: {
          200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } },
          ...problems(),
        },
      },
    },
    async (_request, reply) => context.send(reply, await pageOf(FORMATS), byChain),
  );

  async function pageOf(guide: Guide): Promise<() => Text> {
    const { guidePage } = await guideModule();
    return () => new Text(HTML_TYPE, guidePage(guide, context.options.publicUrl));
  }
};
