import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { decrypt, encrypt, makeEncryptionKey, seal, unseal } from './encryption.ts';

const TEXT = Buffer.from('The fourth. 📜');

/** The same bytes but for one bit. */
function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test('only the recipient opens a sealed body, and nothing of it shows', () => {
  const [bob, eve] = [makeEncryptionKey(), makeEncryptionKey()];
  const sealed = seal(TEXT, bob.publicKey);
  assert.deepEqual(unseal(sealed, bob), TEXT);
  assert.throws(() => unseal(sealed, eve));
  assert.ok(!Buffer.from(sealed.box, 'base64').includes(TEXT));
  assert.notDeepEqual(seal(TEXT, bob.publicKey), sealed);
});

test('a body that was changed on the way does not open', () => {
  const bob = makeEncryptionKey();
  const sealed = seal(TEXT, bob.publicKey);
  const box = Buffer.from(sealed.box, 'base64');
  for (const at of [0, 12, box.length - 17, box.length - 1]) {
    const changed = { ...sealed, box: flipped(box, at).toString('base64') };
    assert.throws(() => unseal(changed, bob), `byte ${at}`);
  }
  const { ephemeralKey } = seal(TEXT, bob.publicKey);
  assert.throws(() => unseal({ ...sealed, ephemeralKey }, bob));
});

test('what is encrypted comes back under its key only, whole', () => {
  const key = randomBytes(32);
  for (const length of [0, 1, 1_000]) {
    const plaintext = randomBytes(length);
    const box = encrypt(key, plaintext);
    assert.deepEqual(decrypt(key, box), plaintext);
    assert.throws(() => decrypt(randomBytes(32), box));
    assert.throws(() => decrypt(key, box.subarray(0, -1)));
  }
});
