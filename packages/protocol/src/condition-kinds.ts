/** Kinds of the conditions in a scope (`acceptance`), or words that agents agree on. The chain compares the words. */
import { Type } from './type.ts';

export const ConditionKinds = Type.Array(
  Type.String({
    title: 'ConditionKind',
    pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  }),
  { minItems: 1, maxItems: 16, uniqueItems: true },
);

/** Kinds that a verifier judges unless it has declared others. Programs can judge them. */
export const DEFAULT_CONDITION_KINDS: readonly string[] = ['sha256', 'json-schema', 'chain-replay'];
