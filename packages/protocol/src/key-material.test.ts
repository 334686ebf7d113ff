import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { JsonValue } from './canonical-json.ts';
import {
  AgentRegistration,
  InvitationClaim,
  OpenTransition,
  OperatorApplication,
  SignedIntent,
} from './envelope.ts';
import {
  hasKeyBytes,
  holdsPrivateKey,
  isKeyName,
  isSecretName,
  keyMaterialPath,
} from './key-material.ts';
import { testKey } from './testing/index.ts';

describe('a name is that of a secret, however it is written:', () => {
  for (const name of [
    'privateKey',
    'private_key',
    'PRIVATE-KEY',
    'private key',
    'Private.Key',
    'privkey',
    'agentPrivateKeyPem',
    'private_key_hex',
    'privateKeys',
    'ed25519-private-key-pkcs8',
    'secret',
    'secrets',
    'secretKey',
    'client_secret',
    'seed',
    'walletSeed',
    'seed_phrase',
    'seedHex',
    'mnemonic',
    'mnemonicPhrase',
    'recovery-phrase',
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'apiKey',
    'X-Api-Key',
    'api_keys',
    'accessKey',
    'credentials',
    'accessToken',
    'bearer_token',
  ]) {
    test(name, () => assert.ok(isSecretName(name)));
  }
});

describe('a name is not that of a secret:', () => {
  for (const name of [
    'publicKey',
    'publicKeyHash',
    'newPublicKey',
    'consensusPublicKey',
    'key',
    'tokenId',
    'seedHash',
    'secretHash',
    'passwordHash',
    'credentialHash',
    'mnemonicDigest',
    'd',
    'k',
    'seeding',
    'compassion',
    'secretary',
    'keyword',
    'pass',
    'token',
    'signature',
    '',
  ]) {
    test(name, () => assert.ok(!isSecretName(name)));
  }
});

test('no member of an envelope has the name of a secret', () => {
  for (const schema of [
    SignedIntent,
    AgentRegistration,
    OperatorApplication,
    InvitationClaim,
    OpenTransition,
  ]) {
    for (const name of Object.keys(schema.properties)) {
      assert.ok(!isSecretName(name) && !isKeyName(name), name);
    }
  }
});

const ed25519 = generateKeyPairSync('ed25519');
const pkcs8 = (key: ReturnType<typeof createPrivateKey>): Buffer =>
  key.export({ format: 'der', type: 'pkcs8' });
const jwk = ed25519.privateKey.export({ format: 'jwk' });

/** All private formats of Node and OpenSSL. */
const PRIVATE: Record<string, string> = {
  'Ed25519 PEM': ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  'encrypted PEM': ed25519.privateKey
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString(),
  'EC PEM': generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ format: 'pem', type: 'sec1' })
    .toString(),
  'RSA PEM': generateKeyPairSync('rsa', { modulusLength: 512 })
    .privateKey.export({ format: 'pem', type: 'pkcs1' })
    .toString(),
  'OpenSSH header': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl',
  'PGP header': '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  'SSH2 header': '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----',
  'PEM in prose': 'take this: -----begin private key----- MC4…',
  'Ed25519 PKCS #8 in base64': pkcs8(ed25519.privateKey).toString('base64'),
  'Ed25519 PKCS #8 in base64url': pkcs8(ed25519.privateKey).toString('base64url'),
  'Ed25519 PKCS #8 in hex': pkcs8(ed25519.privateKey).toString('hex'),
  'X25519 PKCS #8 in base64': pkcs8(generateKeyPairSync('x25519').privateKey).toString('base64'),
  'P-256 PKCS #8 in base64': pkcs8(
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  ).toString('base64'),
  'secp256k1 PKCS #8 in base64': pkcs8(
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
  ).toString('base64'),
  'RSA PKCS #8 in base64': pkcs8(
    generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
  ).toString('base64'),
  'PKCS #8 in a data URI': `data:application/pkcs8;base64,${pkcs8(ed25519.privateKey).toString('base64')}`,
  'JWK as text': JSON.stringify(jwk),
  'JWK as text with spaces': JSON.stringify(jwk, null, 2),
  'JWK as text in text': JSON.stringify(JSON.stringify(jwk)),
  'PEM in base64': Buffer.from(
    ed25519.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  ).toString('base64'),
  'encrypted PEM in base64, in text': `take ${Buffer.from(
    ` ${ed25519.privateKey
      .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString()}`,
  ).toString('base64url')}`,
  'EC PEM in base64': Buffer.from(
    `  ${generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ format: 'pem', type: 'sec1' })
      .toString()}`,
  ).toString('base64'),
  'identity of age': `AGE-SECRET-KEY-1${'GFPYYSJZGFPYYSJZGFPYYSJZ'.repeat(2)}`,
  'body of an OpenSSH key': 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ',
  'seed in a note': `my seed is ${'0a'.repeat(32)}, keep it`,
  'symmetric JWK as text': '{"kty":"oct","k":"AAECAwQFBgcICQoLDA0ODw"}',
};

describe('a text holds a private key:', () => {
  for (const [name, text] of Object.entries(PRIVATE)) {
    test(name, () => assert.ok(holdsPrivateKey(text)));
  }
});

describe('a text holds none:', () => {
  const { kty, crv, x } = jwk;
  for (const [name, text] of Object.entries({
    'public PEM': testKey('alice').publicKey,
    'public SPKI in base64': ed25519.publicKey
      .export({ format: 'der', type: 'spki' })
      .toString('base64'),
    'public RSA SPKI in base64': generateKeyPairSync('rsa', { modulusLength: 2_048 })
      .publicKey.export({ format: 'der', type: 'spki' })
      .toString('base64'),
    'public EC SPKI in base64': generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ format: 'der', type: 'spki' })
      .toString('base64'),
    'public PEM in base64': Buffer.from(testKey('alice').publicKey).toString('base64'),
    signature: testKey('alice').sign(Buffer.from('x')),
    hash: testKey('alice').publicKeyHash,
    'public JWK as text': JSON.stringify({ kty, crv, x }),
    'prose about keys': 'I never send my private key, and neither should you begin a private key.',
  })) {
    test(name, () => assert.ok(!holdsPrivateKey(text)));
  }
});

describe('the path leads to the secret and says nothing of it:', () => {
  const pem = PRIVATE['Ed25519 PEM'] ?? '';
  const places: [string, JsonValue, string | null][] = [
    ['nothing', { actorId: 'alice', payload: { amount: 1, list: [null, true, 'x'] } }, null],
    ['a member', { privateKey: 'x' }, '/privateKey'],
    ['a member without a value', { a: { seed: null } }, '/a/seed'],
    ['a member in a list', { a: [{}, { 'api-key': 1 }] }, '/a/1/api-key'],
    ['a name that wants escaping', { 'a/b': { 'c~secret': 1 } }, '/a~1b/c~0secret'],
    ['a text', { payload: { memo: `hello ${pem}` } }, '/payload/memo'],
    ['a text in a list', { a: ['x', pem] }, '/a/1'],
    ['a JWK', { profile: { key: { ...jwk } as JsonValue } }, '/profile/key/d'],
    ['a symmetric JWK', { a: { kty: 'oct', k: 'AAEC' } }, '/a/k'],
    ['a public JWK', { a: { kty: 'OKP', crv: 'Ed25519', x: 'AAEC' } }, null],
    ['a d of something else', { a: { d: 'x', k: 'y' } }, null],
    ['a name that is the key itself', { a: { [pem]: 1 } }, '/a'],
  ];
  for (const [name, value, path] of places) {
    test(name, () => assert.equal(keyMaterialPath(value), path));
  }
});

test('the bytes of a key are a secret under a name that says key, and under no other', () => {
  const seed = Buffer.alloc(32, 7);
  const forms = [seed.toString('hex'), Buffer.alloc(64, 9).toString('hex')];
  for (const bytes of [ed25519.privateKey, generateKeyPairSync('ed25519').privateKey]) {
    forms.push(pkcs8(bytes).subarray(-32).toString('base64'));
    forms.push(pkcs8(bytes).subarray(-32).toString('base64url'));
  }
  for (const text of forms) {
    assert.ok(hasKeyBytes(text), text);
    for (const name of ['sk', 'd', 'key', 'signingKey', 'agent_sk_hex', 'nodeKeyBase64']) {
      assert.equal(keyMaterialPath({ profile: { [name]: text } }), `/profile/${name}`);
    }
    for (const name of ['publicKey', 'publicKeyHash', 'metadataHash', 'idempotencyKey', 'risk']) {
      assert.equal(keyMaterialPath({ profile: { [name]: text } }), null, name);
    }
  }
});

test('a name gets the same answer every time', () => {
  for (let round = 0; round < 3; round++) {
    assert.ok(isSecretName('privateKey') && isSecretName('WALLET_SEED'));
    assert.ok(!isSecretName('publicKey') && !isSecretName('seedHash'));
    for (let i = 0; i < 2_500; i++) assert.ok(!isSecretName(`member-${round}-${i}`));
    assert.ok(isSecretName(`${'x'.repeat(100)}Password`));
  }
});
