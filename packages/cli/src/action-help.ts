import { isUnet, type JsonObject, type JsonValue, netText, UNET_PER_NET } from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import type { Action } from '@netd/ledger';
import { columns } from './printable.ts';

interface Rules {
  type?: string;
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: TSchema[];
  items?: Rules;
  properties?: Record<string, TSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export function actionHelp(action: Action, filledIn: ReadonlySet<string>, program: string): string {
  const { properties = {}, required = [] } = action.payload as Rules;
  const rows = Object.entries(properties).map(([name, schema]) => [
    name,
    typeWord(schema),
    filledIn.has(name) ? 'filled in' : required.includes(name) ? 'required' : '',
    ruleOf(schema),
  ]);
  const members = rows.length === 0 ? '  (none)' : columns(rows);
  return `${action.name}: ${action.summary}

Members:
${members}

By: ${whoMay(action)}${action.spends ? `\nSpends: ${action.spends.member}` : ''}
Refusals: ${action.errors.join(', ') || 'those every action can meet'}

Example:
  ${program} act ${exampleActor(action)} ${exampleWords(action, filledIn).join(' ')}`.trimEnd();
}

function whoMay({ grant }: Action): string {
  const who = Object.entries(grant).map(([role, how]) => {
    if (how === 'base') return 'every agent';
    if (how === 'policy') return 'agents that have added it with extendAgentCapabilities';
    return `${role}${how === 'application' ? ' that has applied for it' : ''}`;
  });
  return [...who, 'the operator'].join('; ');
}

const exampleActor = (action: Action): string => (action.roles.length === 0 ? 'operator' : 'ada');

export function exampleWords(action: Action, filledIn: ReadonlySet<string>): string[] {
  return [action.name, ...wordsOf(examplePayload(action, filledIn), action.payload)];
}

function examplePayload(action: Action, filledIn: ReadonlySet<string>): JsonObject {
  const { properties = {}, required = [] } = action.payload as Rules;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) && !filledIn.has(name))
      .map(([name, schema]) => [name, exampleOf(name, schema)]),
  );
}

const SHORTEST_QUOTED = /[^\w@%+=:,./-]/;

function wordsOf(payload: JsonObject, schema: TSchema): string[] {
  const { properties = {} } = schema as Rules;
  return Object.entries(payload).map(([name, value]) => {
    const word = `${name}=${textOf(value, properties[name])}`;
    return SHORTEST_QUOTED.test(word) ? `'${word}'` : word;
  });
}

function textOf(value: JsonValue, schema: TSchema | undefined): string {
  if (typeof value === 'number' && schema && isUnet(schema)) return netText(value).replace(' ', '');
  if (Array.isArray(value)) {
    const words = value.flatMap((item) =>
      typeof item === 'string' && !item.includes(',') ? [item] : [],
    );
    if (words.length === value.length) return words.join(',');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const EXAMPLES: Readonly<Record<string, JsonValue>> = {
  actions: ['faucet', 'transfer'],
  capabilities: ['research'],
  endpoint: 'https://agent.example/a2a',
  protocols: ['a2a/1.0'],
  countryCode: 'DE',
  version: '1.0.0',
  symbol: 'SHELL',
  license: 'Apache-2.0',
  sequence: 1,
  encryptions: ['AES-256-GCM'],
  threshold: 1,
  decimals: 0,
  tokenId: 'tok-shells',
  name: 'Shells',
};

function exampleOf(name: string, schema: TSchema): JsonValue {
  const rules = schema as Rules;
  const known = EXAMPLES[name];
  if (known !== undefined && fits(known, rules)) return known;
  if (rules.const !== undefined) return rules.const as JsonValue;
  if (rules.enum) return rules.enum[0] as JsonValue;
  if (rules.anyOf) return exampleOf(name, rules.anyOf[0] as TSchema);
  switch (rules.type) {
    case 'integer':
    case 'number':
      return isUnet(schema) ? 5 * UNET_PER_NET : Math.max(rules.minimum ?? 0, 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const { items = {}, minItems = 1 } = rules;
      return Array.from({ length: Math.max(minItems, 1) }, (_, i) => itemOf(name, items, i));
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(rules.properties ?? {})
          .filter(([member]) => rules.required?.includes(member))
          .map(([member, inner]) => [member, exampleOf(member, inner)]),
      );
    default:
      return exampleText(name, rules);
  }
}

/** Returns a different example for each index, because most lists require distinct items. */
function itemOf(name: string, items: TSchema, index: number): JsonValue {
  const value = exampleOf(name, items);
  if (index === 0) return value;
  if (typeof value === 'string')
    return ((items as Rules).enum?.[index] as string) ?? `${value}-${index + 1}`;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const id = Object.keys(value).find((member) => member.endsWith('Id'));
    const named = id === undefined ? null : value[id];
    if (id !== undefined && typeof named === 'string') value[id] = `${named}-${index + 1}`;
  }
  return value;
}

function fits(value: JsonValue, { type, items }: Rules): boolean {
  if (Array.isArray(value)) {
    const choices = items?.enum;
    return type === 'array' && (!choices || value.every((item) => choices.includes(item)));
  }
  return typeof value === 'string' ? type === 'string' : type === 'integer';
}

function exampleText(name: string, { title, pattern, description }: Rules): string {
  if (pattern?.includes('a-f0-9]{64}') === true) return 'ab'.repeat(32);
  if (title === 'HttpsUri' || title === 'Uri') return `https://agent.example/${name}`;
  if (title === 'PublicKeyPem') return '@new-public-key.pem';
  if (title === 'Timestamp') return '2027-01-01T00:00:00.000Z';
  if (title === 'ActorId') return 'bob';
  if (title === 'RecordId') return `${name.replace(/Id$/, '')}-1`;
  if (/base64/.test(description ?? '')) return '@signature.base64';
  return name === 'title'
    ? 'Read a paper'
    : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function typeWord(schema: TSchema): string {
  const rules = schema as Rules;
  if (rules.const !== undefined) return 'constant';
  if (rules.enum) return 'choice';
  if (rules.anyOf) return rules.anyOf.map(typeWord).join(' or ');
  if (rules.type === 'array') return `list of ${typeWord(rules.items as TSchema)}`;
  if (rules.type === 'integer') return isUnet(schema) ? 'amount' : 'number';
  return rules.title === 'Hash' ? 'hash' : (rules.type ?? 'value');
}

function ruleOf(schema: TSchema): string {
  const rules = schema as Rules;
  const { description, items } = rules;
  const choices = rules.enum ?? items?.enum;
  const members = rules.type === 'object' ? Object.keys(rules.properties ?? {}) : [];
  return [
    rules.const === undefined ? '' : `${JSON.stringify(rules.const)}.`,
    choices ? `One of ${choices.join(', ')}.` : '',
    members.length === 0 ? '' : `With ${members.join(', ')}.`,
    lengths(rules),
    description ?? '',
    rules.pattern !== undefined && description === undefined ? `Matches ${rules.pattern}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function lengths({
  type,
  minLength,
  maxLength,
  minItems,
  maxItems,
  minimum,
  maximum,
}: Rules): string {
  const range = (least: number | undefined, most: number | undefined, of: string): string => {
    if (most === undefined || most === Number.MAX_SAFE_INTEGER) {
      return least === undefined || least <= 1 ? '' : `At least ${least}${of}.`;
    }
    return least === undefined ? `At most ${most}${of}.` : `${least} to ${most}${of}.`;
  };
  if (type === 'string') return range(minLength, maxLength, ' characters');
  if (type === 'array') return range(minItems, maxItems, ' items');
  return range(minimum, maximum, '');
}
