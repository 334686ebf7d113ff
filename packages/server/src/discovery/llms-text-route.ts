import { Type } from '@netd/protocol/type';
import { byChain } from '../http/cache-policy.ts';
import type { Routes } from '../http/context.ts';
import { Text } from '../http/encoded-document.ts';
import { problems } from '../http/schemas.ts';
import { llmsText } from './llms-text.ts';

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
          ...problems(),
        },
      },
    },
    (_request, reply) => {
      const make = (): Text =>
        new Text(
          'text/plain; charset=utf-8',
          llmsText(context.node.chain.identity.chainId, context.options.publicUrl),
        );
      return context.send(reply, make, byChain);
    },
  );
};
