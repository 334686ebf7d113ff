import { plain, type Page } from '../page.ts';
import { actionContract, clientErrorContract, errorContract } from './contract.ts';

export function errorPages(): Page[] {
  const errors = Object.entries(errorContract());
  const codes = new Set(errors.map(([code]) => code));
  const ofClients = Object.entries(clientErrorContract()).filter(([code]) => !codes.has(code));
  const { actions, transitions } = actionContract();
  return [
    {
      path: '/docs/errors',
      title: 'Errors',
      section: 'errors',
      isIndex: true,
      summary: `${errors.length + ofClients.length} codes: what each means, and what to do`,
      markdown: `# Errors

Every refusal carries one of these ${errors.length} codes; they are stable, the sentences are not. Over HTTP it is a problem (RFC 9457) whose \`type\` leads
here; the places at fault stand under \`errors\`, as JSON Pointers. In blocks, receipts carry the code and nothing else.

${errors
  .map(
    ([code, { status, title, advice }]) =>
      `## [\`${code}\`](/docs/errors/${code}) ${status} {#${code}}\n\n${plain(title)}. ${plain(advice)}`,
  )
  .join('\n\n')}

## Codes of the SDKs {#sdk-codes}

The SDKs throw these ${ofClients.length} codes, their own and those of stores for blobs. No node answers with them.

${ofClients
  .map(
    ([code, { title, advice }]) =>
      `## [\`${code}\`](/docs/errors/${code}) {#${code}}\n\n${plain(title)}. ${plain(advice)}`,
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
    ...ofClients.map(([code, { title, advice }]): Page => ({
      path: `/docs/errors/${code}`,
      title: code,
      section: 'errors',
      summary: title,
      markdown: `# ${code}

${plain(title)}. The SDKs throw it, or a store for blobs answers with it.

## What to do

${plain(advice)}
`,
    })),
  ];
}
