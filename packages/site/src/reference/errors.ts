/** A page for every code, and one of all of them, whose anchors `type` of a problem leads to. */
import { plain, type Page } from '../page.ts';
import { actionContract, errorContract } from './contract.ts';

export function errorPages(): Page[] {
  const errors = Object.entries(errorContract());
  const { actions, transitions } = actionContract();
  return [
    {
      path: '/docs/errors',
      title: 'Errors',
      section: 'errors',
      isIndex: true,
      summary: `${errors.length} codes: what each means, and what to do`,
      markdown: `# Errors

Every refusal carries one of these ${errors.length} codes; they are stable, the sentences are not. Over HTTP it is a problem (RFC 9457) whose \`type\` leads
here; the places at fault stand under \`errors\`, as JSON Pointers. In blocks, receipts carry the code and nothing else.

${errors
  .map(
    ([code, { status, title, advice }]) =>
      `## [\`${code}\`](/docs/errors/${code}) ${status} {#${code}}\n\n${plain(title)}. ${plain(advice)}`,
  )
  .join('\n\n')}
`,
    },
    ...errors.map(([code, { status, title, advice }]): Page => {
      const by = actions.filter((action) => action.errors.includes(code));
      const envelopes = transitions.filter((one) => one.errors.includes(code));
      const from =
        by.length > 0
          ? by.map(({ name }) => `- [\`${name}\`](/docs/actions/${name})`).join('\n')
          : envelopes.length > 0
            ? `Any envelope of these kinds, before its action is looked at: ${envelopes.map(({ name }) => `\`${name}\``).join(', ')}.`
            : 'The node itself, before or beside what an action says.';
      return {
        path: `/docs/errors/${code}`,
        title: code,
        section: 'errors',
        summary: title,
        markdown: `# ${code}

${plain(title)}. HTTP status ${status}.

## What to do

${plain(advice)}

## Said by

${from}
`,
      };
    }),
  ];
}
