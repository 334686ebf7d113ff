import { ERROR_TABLE } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { HTML_TYPE, Text } from '../encoded-document.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { escapeHtml, page } from '../page.ts';
import { problems } from '../schemas.ts';

/** Where `type` of every problem leads: what each code means and what to do. */
export const errorsPageRoutes: Routes = (app, context) => {
  const entries = Object.entries(ERROR_TABLE).map(
    ([code, { status, title, advice }]) =>
      `<section id="${code}"><h2><code>${code}</code> <span class="soft">${status}</span></h2>` +
      `<p>${escapeHtml(title)}. ${escapeHtml(advice)}</p></section>`,
  );
  const html = page(
    'Errors',
    `<h1>Errors</h1>
<p class="soft">Every refusal carries one of these codes; they are stable, the sentences are not. The places at fault stand under <code>errors</code>, as JSON Pointers. All else is in the <a href="/docs">documentation</a>.</p>
${entries.join('\n')}`,
  );

  app.get(
    '/docs/errors',
    {
      schema: {
        operationId: 'getErrorCodes',
        tags: ['node'],
        summary: 'Every error code, for people',
        response: {
          200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } },
          ...problems(),
        },
      },
    },
    (_request, reply) => context.send(reply, () => new Text(HTML_TYPE, html), byChain),
  );
};
