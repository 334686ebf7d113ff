import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '@netd/protocol';
import { REGISTRATION } from './actions/agents/register-agent.ts';
import { CLAIM } from './actions/operators/claim-invitation.ts';
import { APPLICATION } from './actions/operators/submit-application.ts';
import { ACTIONS } from './actions/registry.ts';
import { refused } from './testing/expectations.ts';
import { ALL_REFUSALS } from './testing/refusals/all.ts';
import { standardChain } from './testing/refusals/case.ts';

/** What every intent can meet before its action's own rules, in this order. */
const COMMON_CODES: readonly ErrorCode[] = [
  'ACTOR_UNKNOWN',
  'SIGNATURE_INVALID',
  'AUTHORITY_INACTIVE',
  'CHAIN_ID_MISMATCH',
  'INTENT_EXPIRED',
  'EXPIRY_TOO_FAR',
  'NONCE_REPLAYED',
  'ACTION_UNKNOWN',
  'CAPABILITY_MISSING',
  'CAPABILITY_EXPIRED',
  'CAPABILITY_AGENT_MISMATCH',
  'CAPABILITY_AMOUNT_EXCEEDED',
  'ROLE_MISSING',
  'PAYLOAD_INVALID',
  'ACTOR_MISMATCH',
];

/** The envelopes that bring their own key. */
const SELF_SIGNED = [REGISTRATION, APPLICATION, CLAIM];

/** What the ledger declares: `subject code`. */
const declared = new Set([
  ...COMMON_CODES.map((code) => `SignedIntent ${code}`),
  'OpenTransition SIGNED_INTENT_REQUIRED',
  ...[...SELF_SIGNED, ...ACTIONS.values()].flatMap(({ name, errors }) =>
    errors.map((code) => `${name} ${code}`),
  ),
]);

for (const subject of new Set(ALL_REFUSALS.map((refusal) => refusal.subject))) {
  describe(`${subject} is refused, without a trace:`, () => {
    for (const { code, rule, policy, provoke } of ALL_REFUSALS.filter(
      (refusal) => refusal.subject === subject,
    )) {
      test(`${code}: ${rule}`, () => {
        const chain = standardChain(policy);
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
  for (const { name, errors } of [...SELF_SIGNED, ...ACTIONS.values()]) {
    assert.equal(new Set(errors).size, errors.length, name);
  }
});
