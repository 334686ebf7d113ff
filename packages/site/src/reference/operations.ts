import { readSamples, requestPath } from '@netd/explorer/samples';
import type { JsonObject } from '@netd/protocol';
import {
  describedOperations,
  type Described,
  type DescribedOperation,
} from '@netd/server/operations';
import { fence, NODE_URL, plain, type Page } from '../page.ts';
import { PARAMETERS } from './examples.ts';
import { sampleBlocks } from './samples.ts';
import { fieldLine, fieldList, resolve } from './schema-fields.ts';

export function operationPages(): Page[] {
  const described = describedOperations();
  const topics = described.tags
    .map((tag) => ({
      ...tag,
      operations: described.operations.filter((operation) => operation.tag === tag.name),
    }))
    .filter(({ operations }) => operations.length > 0);
  const index = topics
    .map(
      ({ name, description, operations }) =>
        `## ${name}\n\n${plain(description)}\n\n${operations
          .map(
            ({ operationId, method, path, summary }) =>
              `- [\`${method} ${path}\`](/docs/api/${operationId}) ${plain(summary)}`,
          )
          .join('\n')}`,
    )
    .join('\n\n');
  return [
    {
      path: '/docs/api',
      title: 'Reads and writes',
      section: 'api',
      isIndex: true,
      summary: `${described.operations.length} operations over HTTP, as /openapi.json describes them`,
      markdown: `# Reads and writes

What a node answers over HTTP: ${described.operations.length} operations, as it describes them in [/openapi.json](/openapi.json). A read is a document, true at one
height, with links and its place in the certified state; lists have cursors. A write is a signed envelope: see [actions](/docs/actions).
Refusals are problems with a stable [code](/docs/errors).

${index}
`,
    },
    ...topics.flatMap(({ name, operations }) =>
      operations.map((operation) => operationPage(name, operation, described)),
    ),
  ];
}

function operationPage(
  group: string,
  operation: DescribedOperation,
  { components }: Described,
): Page {
  const { method, path, operationId, summary, parameters, body } = operation;
  const parts = [
    `# ${operationId}`,
    `\`${method} ${path}\``,
    `${plain(summary)}.`,
    ...samplesOf(operation),
    ...section(
      'Parameters',
      parameters.map(({ name, in: where, required, schema }) =>
        fieldLine(name, schema, required, components).replace('* ', `* in ${where}. `),
      ),
    ),
    ...section('Body', body ? [fieldList(body, components)] : []),
    ...responsesOf(operation, components),
  ];
  return {
    path: `/docs/api/${operationId}`,
    title: operationId,
    section: 'api',
    group,
    summary: `${summary} (${method} ${path})`,
    markdown: `${parts.join('\n\n')}\n`,
  };
}

/** Shows GETs as whole programs. Writes are shown with their actions. */
function samplesOf({ method, path, parameters, responses, tag }: DescribedOperation): string[] {
  if (method !== 'GET') return [];
  const given = (where: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === where && one.required)
        .map(({ name }) => [name, PARAMETERS[name] ?? name]),
    );
  const question = { path, inPath: given('path'), query: given('query') };
  const isJson = Object.keys((responses['200']?.['content'] ?? {}) as object).includes(
    'application/json',
  );
  const url = `${NODE_URL}${requestPath(question)}`;
  if (!isJson || !path.startsWith('/v1/')) {
    const save = tag === 'downloads' ? '-O ' : '';
    return [
      '## Ask',
      fence(
        'sh curl',
        `curl --fail-with-body ${save}${/^[\w@%+=:,./-]+$/.test(url) ? url : `'${url}'`}`,
      ),
    ];
  }
  return ['## Ask', sampleBlocks(readSamples(NODE_URL, question))];
}

function responsesOf({ responses }: DescribedOperation, components: JsonObject): string[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { description = '', content = {} } = resolve(response, components) as {
      description?: string;
      content?: Record<string, { schema?: JsonObject }>;
    };
    const types = Object.keys(content).join(', ');
    const isProblem = types === 'application/problem+json';
    const said = description === 'Default Response' ? '' : plain(description);
    const heading = `## ${status === 'default' ? 'Any other' : status}`;
    if (isProblem)
      return [heading, `${said} A problem with one of the [codes](/docs/errors).`.trim()];
    const schema = Object.values(content)[0]?.schema;
    const fields = schema ? fieldList(schema, components) : '';
    return [
      heading,
      `${said} ${types === '' ? '' : `\`${types}\``}`.trim(),
      ...(fields ? [fields] : []),
    ];
  });
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
