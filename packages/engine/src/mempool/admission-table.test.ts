import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACTIONS, RuleError, type Submission } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { requireAdmissible } from './admission-table.ts';

const STATE: Readonly<Record<string, object>> = {
  'application/to-validate': { role: 'VALIDATOR' },
  'application/to-verify': { role: 'VERIFIER' },
  'invitation/validate': { applicationId: 'to-validate' },
  'invitation/verify': { applicationId: 'to-verify' },
};

/** The code and place with which the table refuses; null if it does not. */
function refusal(
  kind: Submission['kind'],
  envelope: JsonObject,
  fixedValidators = 1,
): string | null {
  try {
    requireAdmissible({ kind, envelope }, { state: { get: (key) => STATE[key] }, fixedValidators });
    return null;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return `${error.code} ${error.data.path}`;
  }
}

const act = (action: string, payload: JsonObject, validators?: number): string | null =>
  refusal('intent', { actorId: 'ada', action, payload }, validators);

describe('a set of validators that genesis fixed', () => {
  const wishes = (to: 'validate' | 'verify', validators: number) => [
    refusal('application', { role: to === 'verify' ? 'VERIFIER' : 'VALIDATOR' }, validators),
    refusal('claim', { invitationId: to }, validators),
    act('createOperatorInvitation', { applicationId: `to-${to}` }, validators),
  ];

  it('takes no application, approval or claim of a validator', () => {
    assert.deepEqual(wishes('validate', 4), [
      'VALIDATOR_SET_FIXED /role',
      'VALIDATOR_SET_FIXED /invitationId',
      'VALIDATOR_SET_FIXED /payload/applicationId',
    ]);
  });

  it('takes other roles, and so does a chain with one validator or a set that changes', () => {
    for (const [to, validators] of [
      ['verify', 4],
      ['validate', 1],
      ['validate', 0],
    ] as const) {
      assert.deepEqual(wishes(to, validators), [null, null, null], `${to} ${validators}`);
    }
  });
});

describe('the symbol of a new token', () => {
  it('is neither NET nor UNET in any case', () => {
    for (const symbol of ['NET', 'net', 'uNET', 'UNET', 'Unet']) {
      assert.equal(act('createToken', { symbol }), 'SYMBOL_RESERVED /payload/symbol', symbol);
    }
    for (const symbol of ['NETS', 'WNET', 'N3T'])
      assert.equal(act('createToken', { symbol }), null);
  });
});

describe('a name, title or description', () => {
  const titled = (title: string): string | null => act('createWorkOrder', { title });

  it('holds no character that readers cannot see', () => {
    for (const hidden of [
      '\u0000',
      '\u0007',
      '\u001B',
      '\t',
      '\u007F',
      '\u0085',
      '\u202E',
      '\u2066',
      '\u200F',
      '\u061C',
      '\u200B',
      '\u2060',
      '\uFEFF',
      '\u00AD',
      '\u{E0041}',
      '\u200D',
      ' \u200C',
      '1\u200D2',
    ]) {
      assert.equal(titled(`a ${hidden} b`), 'TEXT_HIDDEN /payload/title', JSON.stringify(hidden));
    }
    for (const plain of [
      'Ünïcödé',
      '日本語',
      '👩‍🔬 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'نمی\u200Cخواهم',
      'क्\u200Dष',
      'a\u00A0b',
    ]) {
      assert.equal(titled(plain), null, plain);
    }
  });

  it('has line breaks only if it is a description', () => {
    assert.equal(titled('one\ntwo'), 'TEXT_HIDDEN /payload/title');
    assert.equal(act('transfer', { memo: 'one\r\ntwo\n' }), null);
    assert.equal(act('transfer', { memo: 'one\rtwo' }), 'TEXT_HIDDEN /payload/memo');
    assert.equal(refusal('registration', { description: 'one\ntwo' }), null);
  });

  it('is found in registrations, applications and every action', () => {
    const bad = 'a\u202Eb';
    assert.equal(refusal('registration', { description: bad }), 'TEXT_HIDDEN /description');
    const applied = { role: 'AGENT', profile: { description: bad } };
    assert.equal(refusal('application', applied), 'TEXT_HIDDEN /profile/description');
    const found = [...ACTIONS.values()].flatMap(({ name, payload }) =>
      Object.keys((payload as { properties?: object }).properties ?? {}).filter(
        (member) => act(name, { [member]: bad }) ?? act(name, { [member]: [bad] }),
      ),
    );
    for (const member of [
      'title',
      'name',
      'memo',
      'reason',
      'label',
      'capabilities',
      'requirements',
    ]) {
      assert.ok(found.includes(member), member);
    }
    for (const member of ['newPublicKey', 'signature', 'publicKey', 'first']) {
      assert.ok(!found.includes(member), member);
    }
  });
});
