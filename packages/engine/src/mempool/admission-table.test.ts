import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACTIONS, RuleError, type Submission } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { AdmissionRefusal, newcomerAct, requireAdmissible } from './admission-table.ts';
import { NewcomerLimits } from './newcomer-limits.ts';

const STATE: Readonly<Record<string, object>> = {
  'application/to-validate': { role: 'VALIDATOR' },
  'application/to-verify': { role: 'VERIFIER' },
  'invitation/validate': { applicationId: 'to-validate' },
  'invitation/verify': { applicationId: 'to-verify' },
};

/** Returns the code and place of a refusal; null if there is none. */
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

describe('a release on a chain of version 1', () => {
  it('schedules version 2 alone', () => {
    const release = { releaseId: 'r-1' };
    const schedules = [{ ...release, version: 2 }, { ...release, version: 3 }, { version: 3 }];
    assert.deepEqual(
      schedules.map((payload) => act('scheduleRules', payload)),
      [null, 'RELEASE_RULES_MISMATCH /payload/version', null],
    );
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

describe('newcomers of an address', () => {
  let now = 0;
  const rates = { registrationsPerHour: 2, firstDrawsPerDay: 1 };
  const limits = new NewcomerLimits(
    () => rates,
    () => now,
  );
  const state = {
    get: (key: string) => (key === 'account/old' ? { faucetReceived: 1 } : undefined),
  };
  const refusalOf = (
    kind: Submission['kind'],
    { share, ...envelope }: { share: string; actorId: string; action?: string },
  ) => {
    const newcomers = { limits, share };
    try {
      requireAdmissible({ kind, envelope }, { state, fixedValidators: 1, newcomers });
      const counted = newcomerAct({ kind, envelope }, state);
      return counted ? limits.take(counted, share) : null;
    } catch (error) {
      assert.ok(error instanceof AdmissionRefusal);
      return `${error.code} ${error.retryAfter}`;
    }
  };
  const register = (share: string) => refusalOf('registration', { share, actorId: 'new' });
  const draw = (share: string, actorId = 'new') =>
    refusalOf('intent', { share, actorId, action: 'faucet' });

  it('register so many in an hour, and what was refused later is given back', () => {
    register('a');
    const giveBack = register('a');
    assert.equal(register('a'), 'REGISTRATION_LIMIT 3600');
    assert.equal(typeof register('b'), 'function', 'another address');
    if (typeof giveBack === 'function') giveBack();
    assert.equal(typeof register('a'), 'function');
    now += 1_000_000;
    assert.equal(register('a'), 'REGISTRATION_LIMIT 2600');
    now += 2_600_000;
    assert.equal(typeof register('a'), 'function');
  });

  it('draw from the faucet so often in a day, unless they have drawn before', () => {
    assert.equal(typeof draw('a'), 'function');
    assert.equal(draw('a'), 'FIRST_DRAW_LIMIT 86400');
    assert.equal(draw('a', 'old'), null);
    assert.equal(refusalOf('intent', { share: 'a', actorId: 'new', action: 'transfer' }), null);
    assert.doesNotThrow(() =>
      requireAdmissible({ kind: 'registration', envelope: {} }, { state, fixedValidators: 1 }),
    );
  });

  it('are counted for 10,000 addresses, and the oldest is forgotten', () => {
    const many = new NewcomerLimits(
      () => ({ firstDrawsPerDay: 1 }),
      () => 0,
    );
    for (let i = 0; i <= 10_000; i++) many.take('firstDraw', `host-${i}`);
    assert.equal(many.refusal('firstDraw', 'host-0'), null);
    assert.ok(many.refusal('firstDraw', 'host-1'));
  });
});
