/** Executes the tables of `packages/sdk/scripts/machines.ts`, which explains the rules. */
import { FormatError } from '@netd/formats';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { NetError } from '../http.ts';
import { codeOf } from './agent-error.ts';
import { asError } from './as-error.ts';
import type { AgentParts } from './parts.ts';

export type Facts = Record<string, unknown>;

/** A string value that begins with `$` stands for the fact of that name. */
export interface Rule {
  if: Facts;
  with?: Facts;
  do?: string;
  set?: Facts;
  emit?: string[];
  /** Milliseconds to wait; null ends the machine. */
  wait?: unknown;
  on?: Record<string, Rule[]>;
}

export type Effects<Given> = Record<
  string,
  (facts: Given) => object | void | Promise<object | void>
>;

export interface Means<Given> {
  effects: Effects<Given>;
  emit: (event: string, facts: Facts) => void;
  note?: (change: JsonObject, facts: Given) => Promise<void>;
}

/**
 * Applies rules until one waits. Returns milliseconds until the next observation, or null if the machine has
 * ended.
 * @param facts changed in place
 */
export async function advance<Given extends Facts>(
  { poller }: Pick<AgentParts, 'poller'>,
  rules: readonly Rule[],
  facts: Given,
  means: Means<Given>,
): Promise<number | null> {
  const valueOf = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith('$') ? facts[value.slice(1)] : value;
  const filled = (values: object = {}): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, valueOf(value) as JsonValue]),
    );
  const first = (options: readonly Rule[]): Rule | undefined =>
    options.find(({ if: conditions }) =>
      Object.entries(conditions).every(([name, value]) =>
        [value].flat().includes(facts[name] ?? null),
      ),
    );
  let rule = first(rules);
  while (rule) {
    const { do: effect, on = {} } = rule;
    Object.assign(facts, filled(rule.with));
    try {
      if (effect !== undefined) Object.assign(facts, await means.effects[effect]?.(facts));
    } catch (thrown) {
      poller.signal.throwIfAborted();
      const error = asError(thrown);
      const code = codeOf(error) ?? 'UNEXPECTED';
      const next = first([code, ...kindsOf(error)].flatMap((kind) => on[kind] ?? []));
      if (!next) throw error;
      Object.assign(facts, { error, code, reason: error.message });
      rule = next;
      continue;
    }
    if (rule.set) {
      const change = filled(rule.set);
      Object.assign(facts, change);
      await means.note?.(change, facts);
    }
    for (const event of rule.emit ?? []) means.emit(event, facts);
    if (rule.wait !== undefined) return valueOf(rule.wait) as number | null;
    rule = first([...(on['ok'] ?? []), ...rules]);
  }
  return null;
}

const kindsOf = (error: unknown): string[] => [
  ...(error instanceof NetError ? ['refused'] : []),
  ...(error instanceof FormatError ? ['unreadable'] : []),
  'failed',
];
