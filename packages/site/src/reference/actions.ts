import { simulateSamples } from '@netd/explorer/samples';
import type { JsonObject } from '@netd/protocol';
import { listOf, NODE_URL, plain, table, type Page } from '../page.ts';
import { actionContract, type ActionContract } from './contract.ts';
import { actionExamples } from './examples.ts';
import { actSamples, sampleBlocks } from './samples.ts';
import { fieldList } from './schema-fields.ts';

const GRANTS: Readonly<Record<string, string>> = {
  base: 'from the registration on',
  policy: 'after extendAgentCapabilities',
  application: 'with the role',
};

const link = (section: string, name: string): string => `[\`${name}\`](/docs/${section}/${name})`;

export function actionPages(): Page[] {
  const { actions, transitions, systemTransitions } = actionContract();
  const examples = actionExamples();
  const pages = actions.map((action) => actionPage(action, examples.get(action.name)));
  return [
    {
      path: '/docs/actions',
      title: 'Actions',
      section: 'actions',
      isIndex: true,
      summary: `${actions.length} things that a signed intent can ask for`,
      markdown: `# Actions

What a signed intent can ask for: ${actions.length} actions, by the payload they carry to [submitIntent](/docs/api/submitIntent). What an actor may do is
its set of capabilities, and a session has some of them. Every action can be tried with [simulateIntent](/docs/api/simulateIntent), which
signs and commits nothing. [Life of a key](/docs/concepts/key) says who signs; the SDKs sign for you.

${listOf(pages)}

## Envelopes

${table(
  ['Envelope', 'Is'],
  transitions.map(({ name, summary }) => [`\`${name}\``, summary]),
)}

## By itself

Transitions that the system makes when they are due:

${table(
  ['Transition', 'Does'],
  systemTransitions.map(({ kind, summary }) => [`\`${kind}\``, summary]),
)}
`,
    },
    ...pages,
  ];
}

function actionPage(
  { name, summary, roles, grant, spends, errors, events, payload }: ActionContract,
  example: { actorId: string; payload: JsonObject } | undefined,
): Page {
  const fields = fieldList(payload);
  const who = [...new Set([...roles, 'OPERATOR'])].map((role) => {
    const how = GRANTS[grant[role] ?? ''];
    return how === undefined ? role : `${role} (${how})`;
  });
  const asked = example && {
    actorId: example.actorId,
    action: name,
    payload: example.payload,
    whole: example.payload,
  };
  const eventLines = Array.isArray(events)
    ? events.map((type) => `- ${link('events', type)}`)
    : Object.entries(events).map(([type, text]) => `- ${link('events', type)} ${plain(text)}`);
  const parts = [
    `# ${name}`,
    plain(summary),
    table(
      ['Who', 'Spends'],
      [[who.join(', '), spends === null ? 'nothing' : `\`${spends}\` of the payload`]],
    ),
    '## Payload',
    fields === '' ? 'Nothing: `{}`.' : fields,
    ...(asked && example
      ? [
          '## Try it',
          'Nothing is signed or committed; the answer is the receipt that it would have, or why it would be refused.',
          sampleBlocks(simulateSamples(NODE_URL, asked)),
          '## Do it',
          actSamples(name, example.actorId, example.payload),
        ]
      : []),
    '## Events',
    eventLines.length === 0 ? 'None of its own.' : eventLines.join('\n'),
    '## Refusals of its own',
    errors.length === 0 ? 'None.' : errors.map((code) => `- ${link('errors', code)}`).join('\n'),
  ];
  return {
    path: `/docs/actions/${name}`,
    title: name,
    section: 'actions',
    summary,
    markdown: `${parts.join('\n\n')}\n`,
  };
}

export function eventPages(): Page[] {
  const { actions, events, eventMembers } = actionContract();
  const pages = Object.entries(events).map(([type, info]): Page => {
    const { summary, data, members, concerns } = info as unknown as {
      summary: string;
      data: readonly string[];
      members?: typeof eventMembers;
      concerns: readonly string[];
    };
    const schemas = { ...eventMembers, ...members };
    const names = data.map((name) => name.replace(/\?$/, ''));
    const properties = Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}]));
    // A question mark means nullable.
    const required = data.filter((name) => !name.endsWith('?'));
    const by = actions.filter((action) =>
      Array.isArray(action.events) ? action.events.includes(type) : type in action.events,
    );
    return {
      path: `/docs/events/${type}`,
      title: type,
      section: 'events',
      summary,
      markdown: `# ${type}

${plain(summary)}

## Data

${fieldList({ type: 'object', properties, required }) || 'None.'}

## Found by

${concerns.length === 0 ? 'Its type only.' : `\`agent=\` of [listEvents](/docs/api/listEvents): ${concerns.map((name) => `\`${name}\``).join(', ')}.`}

## Emitted by

${by.length === 0 ? 'Made by the system when due, or an envelope of its own: see [actions](/docs/actions).' : by.map(({ name }) => `- ${link('actions', name)}`).join('\n')}
`,
    };
  });
  return [
    {
      path: '/docs/events',
      title: 'Events',
      section: 'events',
      isIndex: true,
      summary: `${pages.length} kinds of events, as pages and live streams tell them`,
      markdown: `# Events

What happened, in the order of the chain: ${pages.length} kinds, read as a page or live from [listEvents](/docs/api/listEvents). Each stands in a block and
can be proved against its root.

${listOf(pages)}
`,
    },
    ...pages,
  ];
}
