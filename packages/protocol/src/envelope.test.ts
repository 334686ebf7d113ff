import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { utf8Text } from './bytes.ts';
import { CanonicalJsonError, canonicalize, type JsonObject } from './canonical-json.ts';
import {
  bytesToSign,
  committedKind,
  encodeEnvelope,
  envelopeKind,
  envelopeViolations,
  nonceHash,
} from './envelope.ts';
import { hashValue } from './hash.ts';

const intent: JsonObject = {
  actorId: 'alice',
  nonce: 'n',
  expiresAtHeight: 9,
  action: 'transfer',
  payload: {},
  signature: 's',
};
const registration: JsonObject = {
  actorId: 'alice',
  publicKey: 'p',
  publicKeyHash: 'h',
  nonce: 'n',
  signature: 's',
};

describe('the kind of an envelope', () => {
  const kinds: [string, JsonObject, string | null][] = [
    ['nothing', {}, null],
    ['action without payload', { action: 'x' }, null],
    ['payload without action', { payload: {} }, null],
    ['an open transition', { ...intent, schema: 'NET-OPEN-TRANSITION/1' }, 'open'],
    ['a registration marked open', { ...registration, schema: 'NET-OPEN-TRANSITION/1' }, 'open'],
    ['a system transition', { ...intent, schema: 'NET-SYSTEM-TRANSITION/1' }, 'system'],
    ['a schema in a list', { ...intent, schema: ['NET-SYSTEM-TRANSITION/1'] }, 'intent'],
    ['an intent', intent, 'intent'],
    ['an intent with publicKeyHash', { ...intent, ...registration }, 'intent'],
    ['a registration', registration, 'registration'],
    ['a registration with an action', { ...registration, action: 'x' }, 'registration'],
    [
      'an application, whatever else it holds',
      { ...registration, ...intent, schema: 'NET-OPERATOR-APPLICATION/1' },
      'application',
    ],
    ['a claim', { ...registration, schema: 'NET-OPERATOR-INVITATION-CLAIM/1' }, 'claim'],
    ['a claim of another version', { ...registration, schema: 'X/2' }, 'registration'],
    [
      'a registration whose action has a payload',
      { ...registration, action: { payload: {} } },
      'registration',
    ],
    [
      'a system transition with a quote before its schema',
      { ...intent, note: '"', schema: 'NET-SYSTEM-TRANSITION/1' },
      'system',
    ],
    [
      'an intent about a schema',
      { ...intent, payload: { schema: 'NET-OPEN-TRANSITION/1' } },
      'intent',
    ],
  ];
  for (const [name, envelope, kind] of kinds) {
    test(name, () => {
      assert.equal(envelopeKind(envelope), kind);
      if (kind !== null) assert.equal(committedKind(canonicalize(envelope)), kind);
    });
  }
});

test('intents and registrations take no members beyond the interface and chainId', () => {
  const paths = (kind: 'intent' | 'registration', envelope: JsonObject): string[] =>
    (envelopeViolations(kind, envelope) ?? []).map(({ path }) => path).toSorted();
  for (const [kind, envelope] of [
    ['intent', intent],
    ['registration', registration],
  ] as const) {
    assert.deepEqual(paths(kind, { ...envelope, chainId: 'net-devnet-1' }), []);
    for (const extra of ['schema', 'note', 'owner', 'signatur', 'constructor']) {
      assert.deepEqual(paths(kind, { ...envelope, [extra]: 'x' }), [`/${extra}`]);
    }
  }
  assert.deepEqual(paths('registration', { ...registration, action: 'x', payload: {} }), [
    '/action',
    '/payload',
  ]);
});

test('an open transition is exactly its five members, without a signature', () => {
  const { signature: _, expiresAtHeight: __, ...bare } = intent;
  const open = { ...bare, schema: 'NET-OPEN-TRANSITION/1' };
  const paths = (envelope: JsonObject): string[] =>
    (envelopeViolations('open', envelope) ?? []).map(({ path }) => path).toSorted();
  assert.deepEqual(paths(open), []);
  assert.deepEqual(paths({ schema: 'NET-OPEN-TRANSITION/1' }), [
    '/action',
    '/actorId',
    '/nonce',
    '/payload',
  ]);
  assert.deepEqual(paths(bare), ['/schema']);
  assert.deepEqual(paths({ ...open, nonce: 'n'.repeat(128) }), []);
  assert.deepEqual(paths({ ...open, nonce: 'n'.repeat(129) }), ['/nonce']);
  assert.deepEqual(paths({ ...open, nonce: '' }), ['/nonce']);
  for (const member of ['signature', 'expiresAtHeight', 'chainId', 'note']) {
    assert.deepEqual(paths({ ...open, [member]: 'x' }), [`/${member}`]);
  }
});

test('violations name each member that is missing or wrong', () => {
  assert.deepEqual(
    envelopeViolations('intent', {})
      ?.map(({ path }) => path)
      .toSorted(),
    ['/action', '/actorId', '/expiresAtHeight', '/nonce', '/payload', '/signature'],
  );
  assert.equal(
    envelopeViolations('intent', { ...intent, expiresAtHeight: 1.5 })?.[0]?.path,
    '/expiresAtHeight',
  );
  assert.equal(
    envelopeViolations('intent', { ...intent, actorId: 'x'.repeat(2049) })?.[0]?.path,
    '/actorId',
  );
  assert.equal(envelopeViolations('intent', { ...intent, actorId: '😀'.repeat(2048) }), null);
  assert.equal(envelopeViolations('registration', registration), null);
});

test('checking changes nothing: no coercion, no defaults, no removal', () => {
  const envelope = { ...intent, expiresAtHeight: '9', extra: { deep: [1] } };
  const before = structuredClone(envelope);
  assert.ok(envelopeViolations('intent', envelope));
  assert.deepEqual(envelope, before);
});

test('the signed bytes leave out the member signature and nothing else', () => {
  const envelope: JsonObject = {
    ...intent,
    payload: { signature: 'inner' },
    signatures: 1,
    Signature: 2,
    '"signature":': 3,
  };
  const { signature: _, ...unsigned } = envelope;
  const encoded = encodeEnvelope(envelope);
  assert.equal(utf8Text(encoded.signedBytes), canonicalize(unsigned));
  assert.equal(encoded.text, canonicalize(envelope));
  assert.equal(encoded.transitionHash, hashValue(envelope));
  assert.deepEqual(bytesToSign(envelope), encoded.signedBytes);
  assert.deepEqual(bytesToSign(unsigned), encoded.signedBytes);
});

test('an envelope with a lone surrogate has no bytes', () => {
  assert.throws(() => encodeEnvelope({ ...intent, note: '\ud83d' }), CanonicalJsonError);
});

test('nonceHash keeps actor and nonce apart', () => {
  assert.equal(nonceHash('a"b', 'c\n😀'), hashValue({ actorId: 'a"b', nonce: 'c\n😀' }));
  assert.notEqual(nonceHash('ab', 'c'), nonceHash('a', 'bc'));
});
