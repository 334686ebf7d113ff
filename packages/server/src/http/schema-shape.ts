import {
  ACTOR_ID_PATTERN,
  HASH_PATTERN,
  HTTPS_URI_PATTERN,
  RECORD_ID_PATTERN,
  TIMESTAMP_PATTERN,
  TOKEN_ID_PATTERN,
  URI_PATTERN,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';

const NAMED_PATTERNS: ReadonlyMap<unknown, string> = new Map([
  [HASH_PATTERN, 'hex64'],
  [ACTOR_ID_PATTERN, 'actor-id'],
  [RECORD_ID_PATTERN, 'id'],
  [HTTPS_URI_PATTERN, 'https-uri'],
  [URI_PATTERN, 'uri'],
  [TIMESTAMP_PATTERN, 'timestamp'],
  [TOKEN_ID_PATTERN, 'tok-id'],
]);

const MAX_LISTED_VALUES = 8;

export function shapeOf(schema: JsonObject): string {
  const properties = schema['properties'] as Record<string, JsonObject> | undefined;
  if (!properties) return typeName(schema);
  const required = new Set(schema['required'] as string[] | undefined);
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.has(name) ? '' : '?'}: ${shapeOf(member)}`,
  );
  return `{${members.join(', ')}}`;
}

export function typeName(schema: JsonObject): string {
  if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema['const']);
  const values = schema['enum'] as JsonValue[] | undefined;
  if (values) {
    return values.length > MAX_LISTED_VALUES
      ? `one of ${values.length}`
      : values.map((value) => JSON.stringify(value)).join('|');
  }
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonObject[] | undefined;
  if (options) return options.map(shapeOf).join('|');
  const type = schema['type'];
  if (type === 'array') return `[${shapeOf((schema['items'] ?? {}) as JsonObject)}]`;
  if (type === 'integer') return 'int';
  if (type === 'string') return NAMED_PATTERNS.get(schema['pattern']) ?? 'string';
  return typeof type === 'string' ? type : 'any';
}

export function boundsOf(schema: JsonObject): string {
  const range = (low: string, high: string, unit: string): string => {
    const least = schema[low];
    const most = schema[high] === Number.MAX_SAFE_INTEGER ? undefined : schema[high];
    if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}${unit}`;
    if (typeof most === 'number') return `at most ${most}${unit}`;
    return typeof least === 'number' && least > 0 ? `at least ${least}${unit}` : '';
  };
  return [
    range('minimum', 'maximum', ''),
    range('minLength', 'maxLength', ' characters'),
    range('minItems', 'maxItems', ' items'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}
