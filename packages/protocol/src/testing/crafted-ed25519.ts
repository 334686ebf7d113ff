/** Crafted Ed25519 inputs on which libraries disagree, derived from names. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToBase64, bytesToHex, hexToBytes, utf8Bytes } from '../bytes.ts';
import { publicKeyHash } from '../ed25519.ts';
import { sha256 } from '../hash.ts';
import { testKey, type PublicKey, type SigningKey } from './keys.ts';

const { Point } = ed25519;
type CurvePoint = typeof Point.BASE;

export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
export const P = 2n ** 255n - 19n;

/** Of order 8; generates all points of small order. */
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');

export const SMALL_ORDER_POINTS: readonly string[] = Array.from({ length: 8 }, (_, i) =>
  bytesToHex(torsionPoint(i).toBytes()),
);

export function pemOfRaw(raw: Uint8Array): string {
  const der = new Uint8Array([...hexToBytes('302a300506032b6570032100'), ...raw]);
  return pemAround(bytesToBase64(der));
}

export function pemAround(base64: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`;
}

export function scalarBytes(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0')).reverse();
}

export interface CraftedSignature {
  name: string;
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
  valid: boolean;
  /** The verdict of a lenient verifier. */
  note: string;
}

export function craftedSignatures(): CraftedSignature[] {
  const key = testKey('crafted');
  const message = utf8Bytes('net');
  const secret = secretScalar(key.seed);
  const honest = key.signBytes(message);
  const honestS = littleEndian(honest.subarray(32));
  const cases: CraftedSignature[] = [];
  const add = (
    name: string,
    made: Partial<CraftedSignature> & Pick<CraftedSignature, 'signature'>,
  ): void => {
    cases.push({ name, publicKey: key.raw, message, valid: false, note: '', ...made });
  };

  add('plain', { signature: honest, note: 'made by RFC 8032', valid: true });
  add('plain over an empty message', {
    message: utf8Bytes(''),
    signature: key.signBytes(new Uint8Array()),
    valid: true,
  });
  add('another message', { message: utf8Bytes('nets'), signature: honest });
  add('another key', { publicKey: testKey('somebody else').raw, signature: honest });
  add('one bit of R', { signature: flipBit(honest, 3) });
  add('one bit of S', { signature: flipBit(honest, 300) });
  add('sign bit of R', { signature: flipBit(honest, 255) });
  add('63 bytes', { signature: honest.subarray(0, 63) });
  add('65 bytes', { signature: new Uint8Array([...honest, 0]) });
  add('all zeros', { signature: new Uint8Array(64), note: 'R is of order 4' });
  add('S plus L', {
    signature: join(honest.subarray(0, 32), scalarBytes(honestS + L)),
    note: 'the same point; malleable unless S < L is checked',
  });
  add('S is L', { signature: join(honest.subarray(0, 32), scalarBytes(L)) });
  add('S is 2^256 - 1', { signature: join(honest.subarray(0, 32), scalarBytes(2n ** 256n - 1n)) });

  // With R of small order, S = k·a needs no nonce. The cofactored equation holds; for the identity, the
  // strict one too.
  SMALL_ORDER_POINTS.forEach((hex, i) => {
    const R = hexToBytes(hex);
    const S = (challenge(R, key.raw, message) * secret) % L;
    const note = i === 0 ? 'the plain equation holds' : 'the cofactored equation holds';
    add(`R is small-order point ${i}`, { signature: join(R, scalarBytes(S)), note });
  });
  const otherEncodings = {
    'R is the identity as y = p + 1': scalarBytes(P + 1n),
    'R is the identity with the sign bit': scalarBytes(1n + 2n ** 255n),
    'R is -1 with the sign bit': scalarBytes(P - 1n + 2n ** 255n),
  };
  for (const [name, R] of Object.entries(otherEncodings)) {
    const S = (challenge(R, key.raw, message) * secret) % L;
    add(name, {
      signature: join(R, scalarBytes(S)),
      note: 'holds where R is decoded and not compared',
    });
  }
  const mixed = signWith({ secret, raw: key.raw }, message, 0n, torsionPoint(1));
  add('R has a torsion part', { signature: mixed, note: 'the cofactored equation holds' });

  // A key of small order needs no secret, if k is a multiple of its order.
  for (const order of [1, 2, 4, 8]) {
    const raw = torsionPoint(8 / order).toBytes();
    const signature = searchNonce(0n, raw, message, (k) => k % BigInt(order) === 0n);
    add(`the key has order ${order}`, {
      publicKey: raw,
      signature,
      note: 'the plain equation holds',
    });
  }
  const mixedKey = Point.BASE.multiply(secret).add(torsionPoint(1)).toBytes();
  add('the key has a torsion part, k divisible by 8', {
    publicKey: mixedKey,
    signature: searchNonce(secret, mixedKey, message, (k) => k % 8n === 0n),
    note: 'the plain equation holds',
  });
  add('the key has a torsion part, k not divisible by 8', {
    publicKey: mixedKey,
    signature: searchNonce(secret, mixedKey, message, (k) => k % 8n !== 0n),
    note: 'the cofactored equation holds',
  });
  return cases;
}

/**
 * Key and R have small-order parts: multiples (0 to 7) of a point of order 8. All satisfy the cofactored
 * equation.
 * @param attempt selects another signature
 */
export function signatureWithTorsion(
  ofKey: number,
  ofR: number,
  attempt = 0,
): Pick<CraftedSignature, 'publicKey' | 'message' | 'signature'> {
  const secret = secretScalar(sha256('torsion'));
  const publicKey = Point.BASE.multiply(secret).add(torsionPoint(ofKey)).toBytes();
  const message = utf8Bytes('net');
  const signature = signWith(
    { secret, raw: publicKey },
    message,
    BigInt(attempt),
    torsionPoint(ofR),
  );
  return { publicKey, message, signature };
}

/**
 * Only the point check rejects this key. The point is A + T with T of order 2; for an even challenge, T drops
 * out.
 */
export function torsionKey(name: string): PublicKey & SigningKey {
  const secret = secretScalar(sha256(name));
  const raw = Point.BASE.multiply(secret).add(torsionPoint(4)).toBytes();
  const publicKey = pemOfRaw(raw);
  return {
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    sign: (message) => bytesToBase64(searchNonce(secret, raw, message, (k) => k % 2n === 0n)),
  };
}

function torsionPoint(multiple: number): CurvePoint {
  return multiple % 8 === 0 ? Point.ZERO : TORSION.multiplyUnsafe(BigInt(multiple % 8));
}

function secretScalar(seed: Uint8Array): bigint {
  const digest = sha512(seed).slice(0, 32);
  digest[0] = (digest[0] ?? 0) & 248;
  digest[31] = ((digest[31] ?? 0) & 127) | 64;
  return littleEndian(digest) % L;
}

function signWith(
  { secret, raw }: { secret: bigint; raw: Uint8Array },
  message: Uint8Array,
  attempt: bigint,
  added: CurvePoint = Point.ZERO,
): Uint8Array {
  const r = littleEndian(sha512(utf8Bytes(`nonce ${attempt}`))) % L;
  const R = Point.BASE.multiply(r).add(added).toBytes();
  return join(R, scalarBytes((r + challenge(R, raw, message) * secret) % L));
}

function searchNonce(
  secret: bigint,
  raw: Uint8Array,
  message: Uint8Array,
  wanted: (k: bigint) => boolean,
): Uint8Array {
  for (let attempt = 0n; ; attempt++) {
    const signature = signWith({ secret, raw }, message, attempt);
    if (wanted(challenge(signature.subarray(0, 32), raw, message))) return signature;
  }
}

function challenge(R: Uint8Array, raw: Uint8Array, message: Uint8Array): bigint {
  return littleEndian(sha512(new Uint8Array([...R, ...raw, ...message]))) % L;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes.toReversed())}`);
}

function join(R: Uint8Array, S: Uint8Array): Uint8Array {
  return new Uint8Array([...R, ...S]);
}

function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
}
