/** Ed25519 keys that derive from names, so that every run signs the same bytes. For tests only. */
// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import {
  bytesToBase64,
  bytesToHex,
  bytesToSign,
  hexToBytes,
  publicKeyHash,
  rawKeyFromPem,
  sha256,
  type JsonObject,
} from '@netd/protocol';

export interface TestKey {
  /** SPKI PEM. */
  publicKey: string;
  publicKeyHash: string;
  /** The 32 raw bytes in hex: the id of the key's record in state. */
  rawHex: string;
  /** PKCS #8 PEM. */
  privateKeyPem: string;
  /** base64 Ed25519 signature. */
  sign: (bytes: Uint8Array) => string;
}

const known = new Map<string, TestKey>();

/** The key of a name: always the same one. */
export function testKey(name: string): TestKey {
  let key = known.get(name);
  if (!key) {
    key = makeKey(sha256(name));
    known.set(name, key);
  }
  return key;
}

function makeKey(seed: Uint8Array): TestKey {
  const der = hexToBytes(`302e020100300506032b657004220420${bytesToHex(seed)}`);
  // The type of node:crypto asks for a Buffer and takes any bytes.
  const privateKey = createPrivateKey({ key: der as never, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  return {
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    rawHex: bytesToHex(rawKeyFromPem(publicKey) ?? new Uint8Array()),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    sign: (bytes) => bytesToBase64(sign(null, bytes, privateKey)),
  };
}

/** The envelope with the signature of the key over everything else in it. */
export function signEnvelope(key: Pick<TestKey, 'sign'>, unsigned: JsonObject): JsonObject {
  return { ...unsigned, signature: key.sign(bytesToSign(unsigned)) };
}

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/**
 * A key with a torsion part whose signatures satisfy the plain equation: only the check of the point refuses it.
 * The point is A + T, T = (0, -1) of order 2, which is (-x, -y); where the challenge is even, T drops out.
 */
export function torsionKey(name: string): Pick<TestKey, 'publicKey' | 'publicKeyHash' | 'sign'> {
  const honest = testKey(name);
  const encoded = littleEndian(hexToBytes(honest.rawHex));
  const signOfX = encoded >> 255n;
  const y = encoded & (2n ** 255n - 1n);
  const raw = scalarBytes(P - y + ((1n - signOfX) << 255n));
  const publicKey = pemOfRaw(raw);
  const secret = secretScalar(sha256(name));
  return {
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    sign: (message) => {
      for (let attempt = 0; ; attempt++) {
        // The public key of a seed is the point r·B for a scalar r that we know: just what R must be.
        const R = hexToBytes(testKey(`${name} nonce ${attempt}`).rawHex);
        const r = secretScalar(sha256(`${name} nonce ${attempt}`));
        const k = littleEndian(sha512(R, raw, message)) % L;
        if (k % 2n === 1n) continue;
        return bytesToBase64(new Uint8Array([...R, ...scalarBytes((r + k * secret) % L)]));
      }
    },
  };
}

/** The SPKI PEM around 32 raw bytes, whatever they are. */
export function pemOfRaw(raw: Uint8Array): string {
  const der = new Uint8Array([...hexToBytes('302a300506032b6570032100'), ...raw]);
  return `-----BEGIN PUBLIC KEY-----\n${bytesToBase64(der)}\n-----END PUBLIC KEY-----\n`;
}

function sha512(...parts: Uint8Array[]): Uint8Array {
  const digest = createHash('sha512');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function secretScalar(seed: Uint8Array): bigint {
  const digest = new Uint8Array(sha512(seed).slice(0, 32));
  digest[0] = (digest[0] ?? 0) & 248;
  digest[31] = ((digest[31] ?? 0) & 127) | 64;
  return littleEndian(digest) % L;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes.toReversed())}`);
}

function scalarBytes(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0')).reverse();
}
