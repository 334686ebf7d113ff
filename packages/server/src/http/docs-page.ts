/** The page at /docs: every operation by topic and every action, made of the OpenAPI description. It runs no scripts. */
import { setImmediate as pause } from 'node:timers/promises';
import { ACTIONS, type Action } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { GUIDES } from '../guides.ts';
import type { Described, DescribedOperation } from './operations.ts';
import { escapeHtml, page } from './page.ts';
import { boundsOf, typeName } from './schema-shape.ts';

const STYLE = `
main { max-width: 58rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 1.5rem 0 2.5rem; }
details { border-bottom: 1px solid var(--line); }
details > summary { cursor: pointer; display: grid; grid-template-columns: 3.5rem minmax(0, 1fr) 1rem; gap: 0 .75rem; padding: .6rem 0; list-style: none; }
details > summary::-webkit-details-marker { display: none; }
details > summary::after { content: '+'; color: var(--soft); grid-column: 3; grid-row: 1; }
details[open] > summary::after { content: '−'; }
details > summary:hover code { color: var(--accent); }
summary .soft { grid-column: 2; font-size: .9rem; }
summary code { overflow-wrap: anywhere; }
code, .method { font-family: ui-monospace, monospace; font-size: .9rem; }
.method { color: var(--soft); }
.method.post { color: var(--accent); }
.detail { padding: 0 0 1rem 4.25rem; scroll-margin-top: 5.5rem; }
.detail h3 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--soft); font-weight: 600; }
.fields { border: 0; padding: 0; margin: 0; }
.fields .fields { padding-left: 1rem; border-left: 1px solid var(--line); }
.fields li { display: block; border: 0; padding: .15rem 0; font-size: .9rem; overflow-wrap: anywhere; }
.type { color: var(--soft); font-family: ui-monospace, monospace; font-size: .85rem; }
details:has(:target) > summary code { color: var(--accent); }
@media (max-width: 36rem) { .detail { padding-left: 0; } }
`;

/** Fields within fields are shown this deep; the rest is in /openapi.json. */
const MAX_DEPTH = 4;
/** About a millisecond. */
const ENTRIES_PER_SLICE = 4;

/** Made in slices: all at once would keep everybody waiting who asks for something else. */
export async function docsPage(described: Described): Promise<string> {
  const topics = described.tags
    .map((tag) => ({
      ...tag,
      operations: described.operations.filter((operation) => operation.tag === tag.name),
    }))
    .filter(({ operations }) => operations.length > 0);
  const contents = [...topics.map(({ name }) => name), 'actions'];
  const sections: string[] = [];
  for (const { name, description, operations } of topics) {
    sections.push(`<section id="${name}"><h2>${name}</h2><p class="soft">${escapeHtml(description)}</p>
${await inSlices(operations, (operation) => operationEntry(operation, described.components))}</section>`);
  }
  const actions = [...ACTIONS.values()];
  return page(
    'Documentation',
    `<h1>Documentation</h1>
<p class="soft">${described.operations.length} operations and ${actions.length} actions, as this node describes itself in <a href="/openapi.json">/openapi.json</a>. What codes mean: <a href="/docs/errors">/docs/errors</a>. The short way in: <a href="/llms.txt">/llms.txt</a>.</p>
<section id="guides"><h2>Guides</h2><p class="soft">Each a screen or two, with programs that run as they stand.</p>
<ul>${GUIDES.map(({ name, title, summary }) => `<li><a href="/docs/guides/${name}">${title}</a><span class="soft">${summary}</span></li>`).join('')}</ul></section>
<section id="reference"><h2>Reference</h2>
<nav aria-label="Topics">${contents.map((name) => `<a href="#${name}">${name}</a>`).join('')}</nav></section>
${sections.join('\n')}
<section id="actions"><h2>actions</h2><p class="soft">What a signed intent can ask for, by the payload it carries to <a href="#submitIntent">POST /v1/intents</a>.</p>
${await inSlices(actions, actionEntry)}</section>`,
    STYLE,
  );
}

async function inSlices<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => string,
): Promise<string> {
  const entries: string[] = [];
  for (const [index, item] of items.entries()) {
    entries.push(entryOf(item));
    if (index % ENTRIES_PER_SLICE === 0) await pause();
  }
  return entries.join('\n');
}

function operationEntry(operation: DescribedOperation, components: JsonObject): string {
  const { method, path, operationId, summary, parameters, body, responses } = operation;
  return entry(operationId, { method, name: path, summary }, [
    part(
      'Parameters',
      parameters.map(({ name, in: where, required, schema }) =>
        field(`${name} in ${where}`, schema, required, { components, depth: 1 }),
      ),
    ),
    ...(body ? [part('Body', fieldsOf(body, components))] : []),
    ...Object.entries(responses).map(([status, response]) => {
      const { description = '', content = {} } = resolve(response, components) as {
        description?: string;
        content?: Record<string, { schema?: JsonObject }>;
      };
      const types = Object.keys(content).join(', ');
      const isProblem = types === 'application/problem+json';
      const schema = isProblem ? undefined : Object.values(content)[0]?.schema;
      const text = isProblem || description !== 'Default Response' ? description : '';
      return part(
        [status, text || types].filter(Boolean).join(' · '),
        schema ? fieldsOf(schema, components) : [],
        true,
      );
    }),
  ]);
}

function actionEntry({ name, summary, roles, payload, events, errors }: Action): string {
  const schema = JSON.parse(JSON.stringify(payload)) as JsonObject;
  const codes = errors.map((code) => `<li><a href="/docs/errors#${code}">${code}</a></li>`);
  const emitted = Object.entries(events).map(
    ([type, text]) => `<li><code>${type}</code> ${escapeHtml(text)}</li>`,
  );
  return entry(`action-${name}`, { method: '', name, summary }, [
    part('Roles', [`<li>${[...new Set([...roles, 'OPERATOR'])].join(', ')}</li>`]),
    part('Payload', fieldsOf(schema, {})),
    part('Events', emitted),
    part('Refusals of its own', codes),
  ]);
}

function entry(
  id: string,
  head: { method: string; name: string; summary: string },
  parts: readonly string[],
): string {
  const { method, name, summary } = head;
  // The name is on what is hidden: browsers open it for readers who follow a link there.
  return `<details><summary><span class="method ${method.toLowerCase()}">${method || 'do'}</span><code>${escapeHtml(name)}</code><span class="soft">${escapeHtml(summary)}</span></summary>
<div class="detail" id="${id}">${parts.join('')}</div></details>`;
}

/** A heading with its items; nothing where there are none, unless the heading says enough. */
function part(title: string, items: readonly string[], always = false): string {
  if (items.length === 0 && !always) return '';
  const fields = items.length > 0 ? `<ul class="fields">${items.join('')}</ul>` : '';
  return `<h3>${escapeHtml(title)}</h3>${fields}`;
}

/** The members of an object, of the items of an array, or the one value there is. */
function fieldsOf(schema: JsonObject, components: JsonObject, depth = 1): string[] {
  let known = resolve(schema, components);
  for (let inner = objectIn(known); inner !== known; inner = objectIn(known)) {
    known = resolve(inner, components);
  }
  const items = known['items'] as JsonObject | undefined;
  if (items) return fieldsOf(items, components, depth);
  const required = new Set(known['required'] as string[] | undefined);
  const properties = (known['properties'] ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties).map(([name, member]) =>
    field(name, member, required.has(name), { components, depth }),
  );
}

function field(
  name: string,
  schema: JsonObject,
  required: boolean,
  { components, depth }: { components: JsonObject; depth: number },
): string {
  const known = resolve(schema, components);
  const description = typeof known['description'] === 'string' ? known['description'] : '';
  const facts = [nameOfType(known, components), boundsOf(known), required ? '' : 'optional'];
  const inner = depth < MAX_DEPTH ? fieldsOf(objectIn(known), components, depth + 1) : [];
  const nested = inner.length > 0 ? `<ul class="fields">${inner.join('')}</ul>` : '';
  return `<li><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(facts.filter(Boolean).join(', '))}</span> ${escapeHtml(description)}${nested}</li>`;
}

/** Of a value that may be null, the value; of several shapes the first, which stands for all; else the schema itself. */
function objectIn(schema: JsonObject): JsonObject {
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonObject[] | undefined;
  return options?.find((option) => option['type'] !== 'null') ?? schema;
}

/** In a word: what is inside of objects and arrays stands below. */
function nameOfType(schema: JsonObject, components: JsonObject): string {
  const options = schema['anyOf'] as JsonObject[] | undefined;
  const nullable = Array.isArray(schema['type']);
  if (nullable) return (schema['type'] as string[]).join(' or ');
  if (options) {
    return options
      .map((option) => nameOfType(resolve(option, components), components))
      .join(' or ');
  }
  const items = schema['items'] as JsonObject | undefined;
  if (items) return `list of ${nameOfType(resolve(items, components), components)}`;
  return schema['type'] === 'object' ? 'object' : typeName(schema);
}

/** What a reference leads to, with what its place says of it; the parts of a whole as one. */
function resolve(schema: JsonObject, components: JsonObject): JsonObject {
  const { $ref: reference, ...about } = schema;
  if (typeof reference === 'string') {
    const [, , kind = '', name = ''] = reference.split('/');
    const found = (components[kind] as JsonObject | undefined)?.[name] as JsonObject | undefined;
    return { ...resolve(found ?? {}, components), ...about };
  }
  const all = (schema['allOf'] as JsonObject[] | undefined)?.map((it) => resolve(it, components));
  // The first says what it is, the others more about its members.
  return all ? { ...all[0], properties: membersOfAll(all) } : schema;
}

/** What a later schema says of a member is more than what an earlier one does. */
function membersOfAll(schemas: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...schemas.map(({ properties }) => properties ?? {})) as JsonObject;
}
