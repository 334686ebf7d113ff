import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIONS } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { actionHelp, exampleWords } from './action-help.ts';
import { filledIn } from './filled-in.ts';
import { payloadFromWords } from './payload-words.ts';

const unquoted = (word: string): string => word.replace(/^'(.*)'$/s, '$1');

test('every action has an example with a valid payload', async () => {
  for (const action of ACTIONS.values()) {
    const filled = filledIn(action);
    const [name, ...words] = exampleWords(action, filled);
    assert.equal(name, action.name);
    const payload = await payloadFromWords(words.map(unquoted), action.payload, {
      // The form of a key and its proof is enough here.
      readFile: async () => 'MCowBQYDK2VwAyEA',
      readInput: async () => '{}',
    });
    const violations = action.violations(completed(action.payload, payload, filled)) ?? [];
    assert.deepEqual(violations, [], `${action.name} ${words.join(' ')}`);
  }
});

/** Adds well-formed values for the fields that the chain fills in. */
function completed(schema: object, payload: JsonObject, filled: ReadonlySet<string>): JsonObject {
  const { properties } = schema as {
    properties: Record<string, { const?: string; type?: string }>;
  };
  const rest = [...filled].map((name) => {
    const { const: constant, type } = properties[name] ?? {};
    const value = name === 'metadataHash' ? 'ab'.repeat(32) : 'ada';
    return [name, constant ?? (type === 'integer' ? 1 : value)];
  });
  return { ...payload, ...Object.fromEntries(rest) } as JsonObject;
}

test('the help names every member with its rule', () => {
  const action = ACTIONS.get('createWorkOrder');
  assert.ok(action);
  const text = actionHelp(action, filledIn(action), 'netd');
  for (const name of Object.keys((action.payload as { properties: object }).properties)) {
    assert.match(text, new RegExp(`^  ${name} `, 'm'));
  }
  assert.match(text, /^ {2}funding +amount +required +What the worker gets, in unet\.$/m);
  assert.match(text, /^By: agents that have added it with extendAgentCapabilities/m);
  assert.match(text, /^ {2}netd act ada createWorkOrder orderId=order-1 .*funding=5NET$/m);
});
