/**
 * JSON Schema keywords as functions. No code is made from strings, because Cloudflare Workers, Vercel Edge
 * and strict pages forbid it. Verdicts, paths, messages and their order equal Ajv's (`schemas.test.ts` of the
 * ledger compares them).
 */
import { areEqual, characterCount, isOfType } from './json-value.ts';
import { jsonPointer } from './strict-json.ts';
import type { TSchema } from './type.ts';

export interface Violation {
  path: string;
  message: string;
}

/** Returns violations with paths relative to the value; null if there are none. */
export type Rule = (value: unknown) => Violation[] | null;

interface Context {
  schema: Keywords;
  inner: (schema: TSchema) => Rule;
  most: number;
}
type Keywords = Readonly<Record<string, unknown>>;

type Maker = (keyword: never, context: Context) => Rule;

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * @param most violations after which a check stops
 * @param isPart true if the schema is a choice of another schema
 */
export function ruleOf(schema: TSchema, most: number, isPart = false): Rule {
  const keywords = schema as Keywords;
  const unknown = Object.keys(keywords).find((name) => name !== 'type' && !isKnown(name));
  if (unknown !== undefined) throw new Error(`unknown keyword: "${unknown}"`);
  const types = [keywords['type'] ?? []].flat() as string[];
  const wrongType = [{ path: '', message: `must be ${types.join(',')}` }];
  const context: Context = {
    schema: keywords,
    inner: (part) => ruleOf(part, most, isPart || 'anyOf' in keywords),
    most,
  };

  const groups = GROUPS.flatMap(({ type, makers }): Rule[] => {
    const rules = Object.entries(makers)
      .filter(([name]) => keywords[name] !== undefined)
      .map(([name, make]) => make(keywords[name] as never, context));
    if (rules.length === 0) return [];
    const rule = inOrder(rules, most);
    if (type === undefined) return [rule];
    const otherwise = types.length === 1 && types[0] === type ? wrongType : null;
    return [(value) => (isOfType(value, type) ? rule(value) : otherwise)];
  });
  const isChecked = GROUPS.some(
    ({ type, makers }) =>
      type === types[0] && Object.keys(makers).some((name) => keywords[name] !== undefined),
  );
  if (types.length === 0 || (types.length === 1 && isChecked)) return inOrder(groups, most);
  const hasType: Rule = (value) => (types.some((type) => isOfType(value, type)) ? null : wrongType);
  const [first, ...others] = groups;
  if (!isPart || most > 1 || !first) return inOrder([hasType, ...groups], most);
  return inOrder([inOrder([hasType, first], 2), ...others], most);
}

const isKnown = (name: string): boolean =>
  ANNOTATIONS.has(name) || GROUPS.some(({ makers }) => Object.hasOwn(makers, name));

function inOrder(rules: readonly Rule[], most: number): Rule {
  const [first] = rules;
  if (!first) return () => null;
  if (rules.length === 1) return first;
  return (value) => {
    let found: Violation[] | null = null;
    for (const rule of rules) {
      const more = rule(value);
      if (more === null) continue;
      found = found ? [...found, ...more] : more;
      if (found.length >= most) break;
    }
    return found;
  };
}

const unless = (isMet: (value: never) => boolean, message: string): Rule => {
  const found = [{ path: '', message }];
  return (value) => (isMet(value as never) ? null : found);
};

const ANY: Readonly<Record<string, Maker>> = {
  const: (only: unknown) =>
    unless((value) => areEqual(value, only), `must be ${JSON.stringify(only)}`),
  enum: (values: unknown[]) => {
    const message = `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
    return unless((value) => values.some((one) => areEqual(value, one)), message);
  },
  anyOf: (schemas: TSchema[], { inner }) => {
    const choices = schemas.map(inner);
    return (value) => {
      const found: Violation[] = [];
      for (const choice of choices) {
        const violations = choice(value);
        if (violations === null) return null;
        found.push(...violations);
      }
      return [...found, { path: '', message: 'must match a schema in anyOf' }];
    };
  },
};

const NUMBERS: Readonly<Record<string, Maker>> = {
  maximum: (most: number) => unless((value: number) => value <= most, `must be <= ${most}`),
  minimum: (least: number) => unless((value: number) => value >= least, `must be >= ${least}`),
};

const STRINGS: Readonly<Record<string, Maker>> = {
  maxLength: (most: number) =>
    unless(
      (value: string) => value.length <= most || characterCount(value) <= most,
      `must NOT have more than ${most} characters`,
    ),
  minLength: (least: number) =>
    unless(
      (value: string) => value.length >= least && characterCount(value) >= least,
      `must NOT have fewer than ${least} characters`,
    ),
  pattern: (source: string) => {
    const pattern = new RegExp(source, 'u');
    return unless((value: string) => pattern.test(value), `must match pattern "${source}"`);
  },
};

const ARRAYS: Readonly<Record<string, Maker>> = {
  maxItems: (most: number) =>
    unless((value: unknown[]) => value.length <= most, `must NOT have more than ${most} items`),
  minItems: (least: number) =>
    unless((value: unknown[]) => value.length >= least, `must NOT have fewer than ${least} items`),
  items: (schema: TSchema, { inner, most }) => {
    const rule = inner(schema);
    return (value) => {
      const found: Violation[] = [];
      for (const [i, item] of (value as unknown[]).entries()) {
        const violations = rule(item);
        if (violations === null) continue;
        found.push(...below(i, violations));
        if (found.length >= most) break;
      }
      return found.length > 0 ? found : null;
    };
  },
  uniqueItems: (isAsked: boolean, { schema }) => {
    if (!isAsked) return () => null;
    const types = [(schema['items'] as Keywords | undefined)?.['type'] ?? []].flat() as string[];
    const areSimple = types.length > 0 && !types.some((type) => /^(object|array)$/.test(type));
    const pairIn = areSimple ? equalSimpleItems(types) : equalItems;
    return (value) => {
      const pair = pairIn(value as unknown[]);
      if (pair === null) return null;
      const message = `must NOT have duplicate items (items ## ${pair[1]} and ${pair[0]} are identical)`;
      return [{ path: '', message }];
    };
  },
};

const OBJECTS: Readonly<Record<string, Maker>> = {
  maxProperties: (most: number) =>
    unless(
      (value: object) => Object.keys(value).length <= most,
      `must NOT have more than ${most} properties`,
    ),
  minProperties: (least: number) =>
    unless(
      (value: object) => Object.keys(value).length >= least,
      `must NOT have fewer than ${least} properties`,
    ),
  required: (names: string[], { most }) => {
    return (value) => {
      if (names.every((name) => has(value as Keywords, name))) return null;
      return names
        .filter((name) => !has(value as Keywords, name))
        .slice(0, most)
        .map((name) => ({ path: jsonPointer([name]), message: 'is required' }));
    };
  },
  additionalProperties: (schema: boolean | TSchema, { schema: { properties }, inner, most }) => {
    const named = new Set(Object.keys(properties ?? {}));
    const unexpected = [{ path: '', message: 'is not a member of this object; remove it' }];
    const rule = typeof schema === 'boolean' ? () => (schema ? null : unexpected) : inner(schema);
    return (value) => {
      let found: Violation[] | null = null;
      for (const name of Object.keys(value as Keywords)) {
        if (named.has(name)) continue;
        const violations = rule((value as Keywords)[name]);
        if (violations === null) continue;
        (found ??= []).push(...below(name, violations));
        if (found.length >= most) break;
      }
      return found;
    };
  },
  properties: (schemas: Record<string, TSchema>, { inner, most }) => {
    const rules = Object.entries(schemas).map(([name, schema]) => [name, inner(schema)] as const);
    return (value) => {
      let found: Violation[] | null = null;
      for (const [name, rule] of rules) {
        if (!has(value as Keywords, name)) continue;
        const violations = rule((value as Keywords)[name]);
        if (violations === null) continue;
        (found ??= []).push(...below(name, violations));
        if (found.length >= most) break;
      }
      return found;
    };
  },
};

/** Keywords in Ajv's order: first those for values of every type. */
const GROUPS: readonly { type?: string; makers: Readonly<Record<string, Maker>> }[] = [
  { makers: ANY },
  { type: 'number', makers: NUMBERS },
  { type: 'string', makers: STRINGS },
  { type: 'array', makers: ARRAYS },
  { type: 'object', makers: OBJECTS },
];

/** False for an undefined member, which counts as absent in JSON. */
const has = (value: Keywords, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);

const below = (step: string | number, violations: readonly Violation[]): Violation[] =>
  violations.map(({ path, message }) => ({ path: jsonPointer([step]) + path, message }));

function equalItems(items: readonly unknown[]): [number, number] | null {
  for (let i = items.length - 1; i > 0; i--) {
    for (let j = i - 1; j >= 0; j--) if (areEqual(items[i], items[j])) return [i, j];
  }
  return null;
}

/** Compares items that are not objects, in linear time. Ignores items of other types. */
function equalSimpleItems(types: readonly string[]) {
  return (items: readonly unknown[]): [number, number] | null => {
    const known = new Map<unknown, number>();
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (!types.some((type) => isOfType(item, type))) continue;
      const later = known.get(item);
      if (later !== undefined) return [i, later];
      known.set(item, i);
    }
    return null;
  };
}
