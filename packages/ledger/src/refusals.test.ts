import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSecretName } from '@netd/protocol';
import { APPLICATION_PROFILES } from './actions/operators/application.ts';
import { ACTIONS } from './actions/registry.ts';
import { refused } from './testing/expectations.ts';
import { ALL_REFUSALS } from './testing/refusals/all.ts';
import { standardChain } from './testing/refusals/case.ts';
import { withRules } from './testing/rules.ts';
import { TRANSITIONS } from './transitions/registry.ts';

/** Refusals beyond those of intents. */
const OPEN_ONLY = ['KEY_MATERIAL_REFUSED', 'SIGNED_INTENT_REQUIRED'] as const;

const { open, ...SIGNED } = TRANSITIONS;
const SUBJECTS = [...Object.values(SIGNED), { ...open, errors: OPEN_ONLY }, ...ACTIONS.values()];

/** As `subject code`. */
const declared = new Set(
  SUBJECTS.flatMap(({ name, errors }) => errors.map((code) => `${name} ${code}`)),
);

for (const subject of new Set(ALL_REFUSALS.map((refusal) => refusal.subject))) {
  describe(`${subject} is refused, without a trace:`, () => {
    const { since = 1 } = ACTIONS.get(subject) ?? {};
    for (const { code, rule, policy, provoke } of ALL_REFUSALS.filter(
      (refusal) => refusal.subject === subject,
    )) {
      test(`${code}: ${rule}`, () => {
        const chain = since === 1 ? standardChain(policy) : withRules(standardChain(policy), since);
        refused(chain, provoke(chain), code);
      });
    }
  });
}

test('every code that an action, the registration or the common checks declare has a case', () => {
  const covered = new Set(ALL_REFUSALS.map(({ subject, code }) => `${subject} ${code}`));
  assert.deepEqual(
    [...declared].filter((promise) => !covered.has(promise)),
    [],
  );
});

test('no case provokes a code that its subject does not declare', () => {
  const undeclared = ALL_REFUSALS.map(({ subject, code }) => `${subject} ${code}`).filter(
    (promise) => !declared.has(promise),
  );
  assert.deepEqual(undeclared, []);
});

test('no code is declared twice by one subject', () => {
  for (const { name, errors } of SUBJECTS) {
    assert.equal(new Set(errors).size, errors.length, name);
  }
});

test('no member of a payload or a profile is named like a secret', () => {
  const names = (schema: unknown): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { properties = {} } = schema as { properties?: object };
    return [...Object.keys(properties), ...Object.values(schema).flatMap(names)];
  };
  const schemas = [
    ...Object.values(TRANSITIONS).map(({ envelope }) => envelope),
    ...[...ACTIONS.values()].map(({ payload }) => payload),
    ...Object.values(APPLICATION_PROFILES),
  ];
  const all = schemas.flatMap(names);
  assert.ok(all.includes('newPublicKey') && all.includes('lastInputSequence'));
  assert.deepEqual(all.filter(isSecretName), []);
});
