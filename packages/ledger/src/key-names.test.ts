import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKeyName, isSecretName } from '@netd/protocol';
import { ACTIONS } from './actions/registry.ts';

/** All member names, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: Record<string, unknown> };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}

test('no member of any payload has a name under which a hash would be taken for a key', () => {
  const names = new Set([...ACTIONS.values()].flatMap(({ payload }) => namesIn(payload)));
  assert.ok(names.has('metadataHash') && names.has('newPublicKey'));
  assert.deepEqual(
    [...names].filter((name) => isKeyName(name) || isSecretName(name)),
    [],
  );
});
