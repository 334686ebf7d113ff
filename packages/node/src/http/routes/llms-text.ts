import Type from 'typebox';
import { llmsText } from '../../discovery/llms-text.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';

export const llmsTextRoutes: Routes = (app, context) => {
  app.get(
    '/llms.txt',
    {
      schema: {
        operationId: 'getLlmsText',
        tags: ['node'],
        summary: 'Compact plain-text briefing for models and autonomous runtimes',
        response: {
          200: {
            description: 'The briefing.',
            content: { 'text/plain': { schema: Type.String() } },
          },
          304: { description: 'The client has the current one (If-None-Match).', type: 'null' },
          ...problems(),
        },
      },
    },
    context.fixedText('text/plain; charset=utf-8', () =>
      llmsText(context.node.chain.identity.chainId),
    ),
  );
};
