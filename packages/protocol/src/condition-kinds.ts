/** Kinds of the conditions in a scope (`acceptance`). The chain compares them as words. */
import { Type } from './type.ts';

export const ConditionKinds = Type.Array(
  Type.String({
    title: 'ConditionKind',
    pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
    description: 'sha256, json-schema, chain-replay, review, or a word that others agree on.',
  }),
  { minItems: 1, maxItems: 16, uniqueItems: true },
);

/** A verifier that has declared nothing judges these, as programs do. */
export const DEFAULT_CONDITION_KINDS: readonly string[] = ['sha256', 'json-schema', 'chain-replay'];
