/** What `npm run new-action` writes. `DECIDE` is no name in scope, so types and tests fail until a person has decided. */
import { existsSync, readFileSync } from 'node:fs';

const FOLDER = 'packages/ledger/src/actions';
const REGISTRY = `${FOLDER}/registry.ts`;

/**
 * Returns texts by path.
 * @throws Error if the name cannot be one, or is taken
 */
export async function filesOf(domain: string, name: string): Promise<Record<string, string>> {
  const { ACTIONS, NEWEST_RULES } = await import('@netd/ledger');
  if (!/^[a-z]+$/.test(domain) || !/^[a-z]+([A-Z][a-z]*)*$/.test(name))
    throw new Error('Give a domain and a name, as in: npm run new-action -- work declineWork');
  const path = `${FOLDER}/${domain}/${fileName(name)}`;
  if (ACTIONS.has(name) || existsSync(`${path}.ts`)) throw new Error(`${name} exists.`);
  return {
    [`${path}.ts`]: definition(name, NEWEST_RULES),
    [`${path}.test.ts`]: testOf(name, NEWEST_RULES),
    [REGISTRY]: registered(readFileSync(REGISTRY, 'utf8'), domain, name),
  };
}

const fileName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function definition(name: string, since: number): string {
  return `import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';

export const ${name} = defineAction({
  name: '${name}',
  // DECIDE: the version of the rules that has it. A released version never changes.
  since: ${since},
  // DECIDE: one sentence in the imperative.
  summary: DECIDE,
  // DECIDE: the roles that may use it, each with 'base', 'policy', 'application' or 'role'; or OPERATOR_ONLY.
  // A model's session has it by default if a tool in packages/mcp-signer/src/tools needs it.
  grant: DECIDE,
  // DECIDE: the members, with the types that other payloads use (RecordId, ActorId, Hash, Unet).
  payload: Type.Object(DECIDE, { additionalProperties: false }),
  // DECIDE: the codes that check throws. A new one is an entry of packages/protocol/src/errors.ts.
  errors: DECIDE,
  // DECIDE: the events that apply emits. A new one is a line in event-data.ts and one in events.ts.
  events: DECIDE,

  // DECIDE: the refusals, by requireThat(condition, code, path). Returns a plan for apply, and never writes.
  check({ state, authority }, payload) {
    return DECIDE;
  },

  // DECIDE: the writes and events. Cannot refuse. If it moves the signer's money, add spends.
  apply({ state, emit }, payload, plan) {
    DECIDE;
  },
});
`;
}

const testOf = (name: string, since: number): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';

// DECIDE: its promise, and the records, balances and events that show it.
test(DECIDE, () => {
  const chain = withRules(standardChain(), ${since}).does('bob', '${name}', DECIDE);
  assert.deepEqual(chain.record(DECIDE), DECIDE);
});
`;

/** At the end, because the order is that of the capabilities of an agent. */
function registered(registry: string, domain: string, name: string): string {
  const imported = `import { ${name} } from './${domain}/${fileName(name)}.ts';\n`;
  return registry
    .replace('\nconst OTHERS', `${imported}\nconst OTHERS`)
    .replace('\n];\n\nconst DEFINED', `\n  ${name},\n];\n\nconst DEFINED`);
}
