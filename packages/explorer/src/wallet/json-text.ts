import type { JsonValue } from '@netd/protocol';

export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
