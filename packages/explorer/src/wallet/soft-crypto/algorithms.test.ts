/** Runs each operation in the worker and in WebCrypto, and compares the results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SoftCrypto, type Bytes } from './algorithms.ts';

const { subtle } = globalThis.crypto;
const soft = new SoftCrypto().calls;
const bytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
const same = (a: ArrayBuffer | Uint8Array, b: ArrayBuffer | Uint8Array): void =>
  assert.deepEqual(Buffer.from(a as Uint8Array), Buffer.from(b as Uint8Array));

test('keys of Ed25519 sign what WebCrypto verifies, and are read by it', async () => {
  const { privateKey, publicKey } = soft.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
  const data = bytes(100);
  const spki = soft.exportKey('spki', publicKey) as Bytes;
  const pkcs8 = soft.exportKey('pkcs8', privateKey) as Bytes;
  const verifies = await subtle.importKey('spki', spki, 'Ed25519', true, ['verify']);
  const signs = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const signature = soft.sign({ name: 'Ed25519' }, privateKey, data);
  assert.ok(await subtle.verify('Ed25519', verifies, signature, data));
  same(await subtle.sign('Ed25519', signs, data), signature);
  const again = soft.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
  same(soft.sign({ name: 'Ed25519' }, again, data), signature);
  assert.throws(() => soft.exportKey('pkcs8', again), { name: 'InvalidAccessError' });
  assert.throws(() => soft.sign({ name: 'Ed25519' }, publicKey, data), {
    name: 'InvalidAccessError',
  });
});

test('keys of X25519 agree with those of WebCrypto', async () => {
  const own = soft.generateKey({ name: 'X25519' }, true, ['deriveBits']);
  const other = await subtle.generateKey('X25519', true, ['deriveBits']);
  const theirs = await subtle.exportKey('jwk', other.publicKey);
  const there = soft.importKey('jwk', theirs, { name: 'X25519' }, true, []);
  const mine = soft.exportKey('jwk', own.publicKey) as JsonWebKey;
  const here = await subtle.importKey('jwk', { ...mine, key_ops: [] }, 'X25519', true, []);
  same(
    soft.deriveBits({ name: 'X25519', public: there }, own.privateKey, 256),
    await subtle.deriveBits({ name: 'X25519', public: here }, other.privateKey, 256),
  );
});

test('passphrases, seals and wrapped keys are those of WebCrypto', async () => {
  const [password, salt, iv, data, raw] = [bytes(20), bytes(16), bytes(12), bytes(90), bytes(32)];
  const asked = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 300 };
  same(
    soft.deriveBits(asked, soft.importKey('raw', password, asked, false, ['deriveBits']), 256),
    await subtle.deriveBits(
      asked,
      await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']),
      256,
    ),
  );
  const gcm = { name: 'AES-GCM', iv, additionalData: bytes(9) };
  const uses = ['encrypt', 'decrypt'] as const;
  const key = soft.importKey('raw', raw, gcm, false, [...uses]);
  const theirs = await subtle.importKey('raw', raw, 'AES-GCM', false, [...uses]);
  const box = soft.encrypt(gcm, key, data);
  same(await subtle.encrypt(gcm, theirs, data), box);
  same(soft.decrypt(gcm, key, box), data);
  box[0] = (box[0] ?? 0) ^ 1;
  assert.throws(() => soft.decrypt(gcm, key, box), { name: 'OperationError' });
  const wraps = soft.importKey('raw', raw, { name: 'AES-KW' }, false, ['wrapKey', 'unwrapKey']);
  const inner = soft.importKey('raw', password.slice(0, 16), { name: 'HMAC' }, true, ['sign']);
  const wrapped = soft.wrapKey('raw', inner, wraps);
  const by = await subtle.importKey('raw', raw, 'AES-KW', false, ['unwrapKey']);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const opened = await subtle.unwrapKey('raw', wrapped, by, 'AES-KW', hmac, true, ['sign']);
  same(await subtle.exportKey('raw', opened), password.slice(0, 16));
  same(await subtle.digest('SHA-256', data), soft.digest('SHA-256', data));
});

test('refuses algorithms that the wallet does not use, and keys after a lock', () => {
  assert.throws(() => soft.generateKey({ name: 'P-256' }, true, []), { name: 'NotSupportedError' });
  assert.throws(() => soft.digest('SHA-1', bytes(1)), { name: 'NotSupportedError' });
  const { privateKey } = soft.generateKey({ name: 'Ed25519' }, false, ['sign']);
  soft.forget();
  assert.throws(() => soft.sign({ name: 'Ed25519' }, privateKey, bytes(1)));
});
