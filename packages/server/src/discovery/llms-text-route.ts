import type { Snapshot } from '@netd/engine/reads';
import { grantsAt } from '@netd/ledger';
import { Type } from '@netd/protocol/type';
import { byHeight } from '../http/cache-policy.ts';
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
      const { node, options } = context;
      const make = (snapshot: Snapshot): Text => {
        const grants = grantsAt(snapshot, snapshot.height + 1);
        const text = llmsText(node.chain.identity.chainId, options.publicUrl, grants);
        return new Text('text/plain; charset=utf-8', text);
      };
      return context.send(reply, make, byHeight);
    },
  );
};
