/** Tables for the client: paged lists, defaults of actions, error codes. */
import { isUnet } from '@netd/protocol';
import type { PathItemObject } from 'openapi-typescript';
import type { Amounts } from '../src/amount.ts';
import type { Description } from './openapi-types.ts';

const HEAD =
  '/** Generated from contract/ by `npm run build`; neither edited nor committed. What the client knows of the interface. */';

/** Arrays in a page that are not its list. */
const BESIDE = new Set(['boundaries', 'nextActions', 'howToVerify', 'capabilities', 'protocols']);

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: unknown;
  const?: unknown;
  required?: readonly string[];
  properties?: Record<string, Schema>;
}

/** The parts of a payload schema that locate amounts. */
interface PayloadSchema {
  type?: unknown;
  title?: string;
  description?: string;
  anyOf?: PayloadSchema[];
  items?: PayloadSchema;
  properties?: Record<string, PayloadSchema>;
}

export interface DescribedAction {
  name: string;
  /** The field that names the actor. */
  actor?: string | undefined;
  payload: unknown;
}

/** @returns TypeScript, unformatted */
export function clientTables(
  description: Description,
  actions: readonly DescribedAction[],
  errorCodes: readonly string[],
): string {
  const codes = errorCodes.toSorted().map((code) => `| '${code}'`);
  return [
    HEAD,
    '/** The member of a page that is its list, by path. */',
    `export const LISTS = ${JSON.stringify(lists(description))} as const;`,
    '/** The parameters of the query of each document, by path, with a blank between. */',
    `export const QUERIES = ${JSON.stringify(queries(description))} as const;`,
    '/** What follows from the actor and the chain, by action and member: `actor`, `expiry` or a constant. */',
    `export const FILLED_IN = ${JSON.stringify(filledIn(actions))} as const;`,
    '/** Every action of this version. */',
    `export const ACTION_NAMES: readonly string[] = ${JSON.stringify(actions.map(({ name }) => name))};`,
    '/** Where amounts of NET stand in a payload, by action: `true` at each of them, the one element of a list for all of its items. */',
    `export const AMOUNTS = ${JSON.stringify(amounts(actions))} as const;`,
    '/** Every code that a node of this version refuses with. */',
    `export type ErrorCode = ${codes.join('')};`,
  ].join('\n\n');
}

/** @throws Error unless a page has exactly one list */
export function lists(description: Description): Record<string, string> {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const names = schema.$ref.split('/').slice(1);
    return resolve(
      names.reduce<unknown>((at, name) => Reflect.get(at as object, name), description) as Schema,
    );
  };
  const members = (schema: Schema): Record<string, Schema> => {
    const { allOf = [], properties } = resolve(schema);
    return Object.assign({}, ...allOf.map(members), properties) as Record<string, Schema>;
  };
  const found = Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
    const { get } = item as PathItemObject;
    const response = get && !('$ref' in get) ? get.responses?.['200'] : undefined;
    const media =
      response && !('$ref' in response) ? response.content?.['application/json'] : undefined;
    if (!media || '$ref' in media || !media.schema) return [];
    const page = members(media.schema);
    if (!Object.hasOwn(page, 'nextCursor')) return [];
    const arrays = Object.keys(page).filter((name) => resolve(page[name] ?? {}).type === 'array');
    const [list, ...others] = arrays.filter((name) => !BESIDE.has(name));
    if (list === undefined || others.length > 0) {
      throw new Error(`which is the list of ${path}: ${arrays.join(', ')}?`);
    }
    return [[path, list]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

/** Query names by path, for paths that answer JSON; '' if there are none. */
export function queries(description: Description): Record<string, string> {
  const { parameters: shared = {} } = description.components ?? {};
  const found = Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
    const { get } = item as PathItemObject;
    if (!get || '$ref' in get) return [];
    const ok = get.responses?.['200'];
    if (!ok || '$ref' in ok || !ok.content?.['application/json']) return [];
    const names = (get.parameters ?? [])
      .map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one))
      .flatMap((one) => (one && !('$ref' in one) && one.in === 'query' ? [one.name] : []));
    return [[path, names.join(' ')]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

/** Locations of NET amounts in each action's payload, from its schema. */
export function amounts(actions: readonly DescribedAction[]): Record<string, Amounts> {
  const all = actions.map(
    ({ name, payload }) => [name, amountsIn(payload as PayloadSchema)] as const,
  );
  return Object.fromEntries(all.filter((one): one is [string, Amounts] => one[1] !== null));
}

function amountsIn(schema: PayloadSchema): Amounts | null {
  if (isUnet(schema)) return true;
  if (schema.anyOf) return schema.anyOf.map(amountsIn).find((found) => found !== null) ?? null;
  const each = schema.items ? amountsIn(schema.items) : null;
  if (each !== null) return [each];
  const members = Object.entries(schema.properties ?? {})
    .map(([name, member]) => [name, amountsIn(member)] as const)
    .filter((one): one is [string, Amounts] => one[1] !== null);
  return members.length > 0 ? Object.fromEntries(members) : null;
}

type Rule = 'actor' | 'expiry' | { const: unknown };

function filledIn(actions: readonly DescribedAction[]): Record<string, Record<string, Rule>> {
  const all = actions.map(({ name, actor, payload }) => {
    const { properties = {}, required = [] } = payload as Schema;
    const rules = required.flatMap((member): [string, Rule][] => {
      const value = properties[member]?.const;
      if (member === actor) return [[member, 'actor']];
      if (member === 'expiresAtHeight') return [[member, 'expiry']];
      return value === undefined ? [] : [[member, { const: value }]];
    });
    return [name, Object.fromEntries(rules)] as const;
  });
  return Object.fromEntries(all.filter(([, rules]) => Object.keys(rules).length > 0));
}
