/** Reads `--policy`: values for the policy members that a version of the rules adds. */
import { readFile } from 'node:fs/promises';
import { addedPolicy } from '@netd/ledger';
import { compileSchema, GenesisPolicy, type JsonObject } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { UsageError } from '../command-error.ts';
import { readInputText } from '../input-text.ts';
import { payloadFromWords } from '../payload-words.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Returns complete members. Missing parts get their defaults.
 * @throws UsageError for values that the chain would replace by defaults
 */
export async function policyValues(
  words: readonly string[],
  { from, to }: { from: number; to: number },
  terminal: Terminal,
): Promise<JsonObject> {
  const defaults = addedPolicy(from, to);
  const members = Object.keys(defaults) as (keyof GenesisPolicy)[];
  if (members.length === 0) {
    throw new UsageError(
      `version ${to} of the rules adds nothing to the policy: leave --policy out`,
    );
  }
  const schema = Type.Object(
    Object.fromEntries(
      members.map((name) => [name, Type.Optional(GenesisPolicy.properties[name])]),
    ),
    { additionalProperties: false },
  );
  const given = await payloadFromWords(words, schema, {
    readFile: async (path) => (await readFile(path, 'utf8')).trimEnd(),
    readInput: () => readInputText(terminal.input),
  });
  const values = Object.entries(given).map(([name, value]) => {
    const isPart = value !== null && typeof value === 'object' && !Array.isArray(value);
    return [name, isPart ? { ...(defaults[name] as JsonObject), ...value } : value] as const;
  });
  const policy = Object.fromEntries(values);
  const [violation] = compileSchema(schema)(policy) ?? [];
  if (violation) throw new UsageError(`--policy: ${violation.path} ${violation.message}`);
  return policy;
}
