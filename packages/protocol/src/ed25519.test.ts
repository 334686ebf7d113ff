import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  craftedSignatures,
  L,
  P,
  pemAround,
  pemOfRaw,
  scalarBytes,
  SMALL_ORDER_POINTS,
  testKey,
  torsionKey,
} from './testing/index.ts';
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes, utf8Bytes } from './bytes.ts';
import {
  isSignedBy,
  isStrictSignature,
  validatePublicKey,
  publicKeyHash,
  rawKeyFromPem,
  signatureBytes,
  verifySignature,
} from './ed25519.ts';
import { sha256Hex } from './hash.ts';
import { checkSignature } from './platform/node.ts';

// vectors.test.ts runs RFC 8032's vectors, malformed PEMs and crafted signatures.

const key = testKey('alice');
const message = utf8Bytes('net');
const honest = key.signBytes(message);

test('a key of no other length than 32 bytes', () => {
  for (const length of [0, 31, 33, 64]) {
    assert.equal(validatePublicKey(pemOfRaw(new Uint8Array(length))), 'NOT_SPKI_PEM');
  }
});

test('a text signature verifies only with its own text key', () => {
  const signature = bytesToBase64(honest);
  assert.ok(isSignedBy(key.publicKey, message, signature));
  const others: [publicKey: string, message: Uint8Array, signature: string][] = [
    [testKey('bob').publicKey, message, signature],
    ['a key', message, signature],
    ['', message, signature],
    [key.publicKey, utf8Bytes('ten'), signature],
    [key.publicKey, message, ''],
    [key.publicKey, message, signature.slice(0, -2)],
    [key.publicKey, message, ` ${signature}`],
    [key.publicKey, message, bytesToBase64(new Uint8Array(64))],
  ];
  for (const other of others) assert.equal(isSignedBy(...other), false, other.join());
});

test('every character of the base64 text matters', () => {
  const body = key.publicKey.split('\n')[1]!;
  for (let i = 0; i < body.length; i++) {
    const changed = `${body.slice(0, i)}=${body.slice(i + 1)}`;
    if (changed !== body) assert.equal(rawKeyFromPem(pemAround(changed)), null, `at ${i}`);
  }
});

test('all eight points of small order are refused as keys and as R', () => {
  assert.equal(new Set(SMALL_ORDER_POINTS).size, 8);
  for (const hex of SMALL_ORDER_POINTS) {
    assert.equal(validatePublicKey(pemOfRaw(hexToBytes(hex))), 'SMALL_ORDER');
    assert.equal(
      isStrictSignature(new Uint8Array([...hexToBytes(hex), ...new Uint8Array(32)])),
      false,
    );
  }
});

test('every y from p to 2^255 - 1 is refused, with either sign', () => {
  for (let y = 2n ** 255n - 19n; y < 2n ** 255n; y++) {
    for (const top of [0n, 1n]) {
      assert.equal(validatePublicKey(pemOfRaw(scalarBytes(y + (top << 255n)))), 'NOT_CANONICAL');
    }
  }
});

describe('S', () => {
  const withS = (S: bigint): Uint8Array =>
    new Uint8Array([...honest.subarray(0, 32), ...scalarBytes(S)]);
  for (const [name, S, strict] of [
    ['0', 0n, true],
    ['L - 1', L - 1n, true],
    ['L', L, false],
    ['L + 1', L + 1n, false],
    ['2^252', 2n ** 252n, true],
    ['2^253', 2n ** 253n, false],
    ['2^256 - 1', 2n ** 256n - 1n, false],
  ] as const) {
    test(name, () => assert.equal(isStrictSignature(withS(S)), strict));
  }
});

test('a signature of no other length than 64 bytes', () => {
  for (const length of [0, 32, 63, 65, 96])
    assert.equal(isStrictSignature(new Uint8Array(length)), false);
});

test('no single flipped bit of a signature verifies', () => {
  // A sample, because each verification costs time.
  for (let bit = 0; bit < 512; bit += 5) {
    const changed = honest.with(bit >> 3, honest[bit >> 3]! ^ (1 << (bit & 7)));
    assert.equal(verifySignature(key.raw, message, changed), false, `bit ${bit}`);
  }
});

test('crafted keys and signatures are refused by the strict rule', () => {
  const forged = craftedSignatures().filter(({ note }) => note === 'the plain equation holds');
  assert.equal(forged.length, 6);
  for (const { name, publicKey, message: about, signature } of forged) {
    const accepted =
      validatePublicKey(pemOfRaw(publicKey)) === null &&
      verifySignature(publicKey, about, signature);
    assert.equal(accepted, false, name);
  }
});

test('keys and signatures of node:crypto pass', () => {
  const pair = generateKeyPairSync('ed25519');
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  assert.equal(validatePublicKey(pem), null);
  const signature = sign(null, message, pair.privateKey).toString('base64');
  assert.ok(verifySignature(rawKeyFromPem(pem)!, message, signatureBytes(signature)!));
});

test('publicKeyHash depends on the text, the raw key does not', () => {
  const crlf = key.publicKey.replaceAll('\n', '\r\n');
  assert.notEqual(publicKeyHash(key.publicKey), publicKeyHash(crlf));
  assert.equal(publicKeyHash(key.publicKey), sha256Hex(JSON.stringify(key.publicKey)));
  assert.equal(bytesToHex(rawKeyFromPem(crlf)!), bytesToHex(key.raw));
});

test('signatureBytes takes every byte and refuses stray bits of every kind', () => {
  const text = bytesToBase64(honest);
  assert.deepEqual(signatureBytes(text), new Uint8Array(honest));
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (const letter of last) {
    const accepted = signatureBytes(`${text.slice(0, 85)}${letter}==`) !== null;
    assert.equal(accepted, 'AQgw'.includes(letter), letter);
  }
});

test('R is refused in every encoding that is not canonical, before the equation', () => {
  const S = new Uint8Array(32);
  for (const y of [P, P + 1n, P + 3n, 2n ** 255n - 1n, 1n + 2n ** 255n, P - 1n + 2n ** 255n]) {
    assert.equal(isStrictSignature(new Uint8Array([...scalarBytes(y), ...S])), false, `${y}`);
  }
  assert.ok(isStrictSignature(new Uint8Array([...scalarBytes(3n), ...S])));
});

test('a key with a torsion part satisfies the equation, and only the point check refuses it', () => {
  const torsion = torsionKey('alice');
  const signature = base64ToBytes(torsion.sign(message));
  const raw = rawKeyFromPem(torsion.publicKey)!;
  assert.equal(checkSignature(raw, message, signature), true);
  assert.equal(isStrictSignature(signature), true);
  assert.equal(validatePublicKey(torsion.publicKey), 'NOT_TORSION_FREE');
});
