/**
 * WebCrypto's algorithms that the wallet needs, made with noble. A worker holds the keys, and the page refers
 * to them by number.
 */
import { aeskw, gcm } from '@noble/ciphers/aes.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

export type Bytes = Uint8Array<ArrayBuffer>;

export interface SoftKeyFacts {
  type: 'public' | 'private' | 'secret';
  algorithm: { name: string; length?: number };
  extractable: boolean;
  usages: string[];
}
interface Held extends SoftKeyFacts {
  bytes: Bytes;
}
export interface KeyReference {
  key: number;
}
export interface MadeKey extends SoftKeyFacts, KeyReference {}

export interface Algorithm {
  name: string;
  length?: number;
  iv?: Bytes;
  additionalData?: Bytes;
  public?: KeyReference;
  salt?: Bytes;
  iterations?: number;
  hash?: string | { name: string };
}

/** Prefixes of 32-byte keys (RFC 8410). */
const PKCS8 = {
  Ed25519: '302e020100300506032b657004220420',
  X25519: '302e020100300506032b656e04220420',
};
const SPKI = { Ed25519: '302a300506032b6570032100', X25519: '302a300506032b656e032100' };
const HASHES = { 'SHA-256': sha256, 'SHA-512': sha512 };
const KEY_BYTES = 32;

type Curve = keyof typeof PKCS8;

export class SoftCrypto {
  readonly #keys = new Map<number, Held>();
  #last = 0;

  /** Methods of `SubtleCrypto`, with numbers in place of keys. */
  readonly calls = {
    forget: (): void => this.#keys.clear(),

    digest: (name: string | { name: string }, data: Bytes): Bytes => copy(hashOf(name)(data)),

    generateKey: (
      { name }: Algorithm,
      extractable: boolean,
      usages: string[],
    ): { publicKey: MadeKey; privateKey: MadeKey } => {
      const secret = copy(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
      const curve = curveOf(name);
      const privateUses = usages.filter((use) => use !== 'verify');
      const publicUses = usages.filter((use) => use === 'verify');
      return {
        privateKey: this.#keep({
          type: 'private',
          algorithm: { name: curve },
          extractable,
          usages: privateUses,
          bytes: secret,
        }),
        publicKey: this.#keep({
          type: 'public',
          algorithm: { name: curve },
          extractable: true,
          usages: publicUses,
          bytes: publicOf(curve, secret),
        }),
      };
    },

    // The parameters of WebCrypto.
    // oxlint-disable-next-line max-params
    importKey: (
      format: string,
      data: Bytes | { x?: string; d?: string; crv?: string },
      algorithm: Algorithm,
      extractable: boolean,
      usages: string[],
    ): MadeKey => {
      const { name } = algorithm;
      const facts = { algorithm: { name }, extractable, usages };
      if (format === 'raw' && data instanceof Uint8Array && !isCurve(name)) {
        const length = 8 * data.length;
        return this.#keep({
          ...facts,
          type: 'secret',
          algorithm: name.startsWith('AES') ? { name, length } : { name },
          bytes: copy(data),
        });
      }
      const curve = curveOf(name);
      if (format === 'jwk' && !(data instanceof Uint8Array)) {
        const isPrivate = data.d !== undefined;
        const bytes = fromBase64Url(data.d ?? data.x ?? '');
        if (data.crv !== curve || (isPrivate && data.x !== toBase64Url(publicOf(curve, bytes))))
          throw new DOMException('the key is not of its public half', 'DataError');
        return this.#keep({ ...facts, type: isPrivate ? 'private' : 'public', bytes });
      }
      const type = format === 'pkcs8' ? 'private' : format === 'spki' ? 'public' : null;
      if (type === null || !(data instanceof Uint8Array)) throw unsupported(`${format} of ${name}`);
      const before = fromHex((type === 'private' ? PKCS8 : SPKI)[curve]);
      const isWhole =
        data.length === before.length + KEY_BYTES && before.every((byte, at) => data[at] === byte);
      if (!isWhole) throw new DOMException(`this is no ${format} of ${curve}`, 'DataError');
      return this.#keep({ ...facts, type, bytes: copy(data.slice(before.length)) });
    },

    exportKey: (format: string, reference: KeyReference): Bytes | Record<string, unknown> => {
      const { type, algorithm, extractable, usages, bytes } = this.#held(reference);
      if (!extractable) throw new DOMException('the key stays here', 'InvalidAccessError');
      if (format === 'raw' && type !== 'private') return copy(bytes);
      const curve = curveOf(algorithm.name);
      if (format === 'pkcs8' && type === 'private') return join(fromHex(PKCS8[curve]), bytes);
      if (format === 'spki' && type === 'public') return join(fromHex(SPKI[curve]), bytes);
      if (format !== 'jwk') throw unsupported(`${format} of a ${type} key`);
      const own = type === 'private' ? publicOf(curve, bytes) : bytes;
      return {
        kty: 'OKP',
        crv: curve,
        x: toBase64Url(own),
        ...(type === 'private' ? { d: toBase64Url(bytes) } : {}),
        ext: true,
        key_ops: usages,
      };
    },

    sign: ({ name }: Algorithm, reference: KeyReference, data: Bytes): Bytes => {
      if (name !== 'Ed25519') throw unsupported(`signing by ${name}`);
      return copy(ed25519.sign(data, this.#held(reference, 'sign').bytes));
    },

    deriveBits: (algorithm: Algorithm, reference: KeyReference, length: number): Bytes => {
      const { bytes } = this.#held(reference, 'deriveBits');
      if (algorithm.name === 'X25519' && algorithm.public) {
        return copy(x25519.getSharedSecret(bytes, this.#held(algorithm.public).bytes)).slice(
          0,
          length / 8,
        );
      }
      const { name, salt, iterations, hash } = algorithm;
      if (name !== 'PBKDF2' || !salt || !iterations || !hash) throw unsupported(`bits by ${name}`);
      return copy(pbkdf2(hashOf(hash), bytes, salt, { c: iterations, dkLen: length / 8 }));
    },

    encrypt: (algorithm: Algorithm, reference: KeyReference, data: Bytes): Bytes =>
      copy(this.#gcm(algorithm, reference, 'encrypt').encrypt(data)),

    decrypt: (algorithm: Algorithm, reference: KeyReference, data: Bytes): Bytes => {
      const cipher = this.#gcm(algorithm, reference, 'decrypt');
      return opened(() => cipher.decrypt(data));
    },

    wrapKey: (_: string, wrapped: KeyReference, by: KeyReference): Bytes =>
      copy(aeskw(this.#held(by, 'wrapKey').bytes).encrypt(this.#held(wrapped).bytes)),

    unwrapKey: (
      _: string,
      data: Bytes,
      by: { key: KeyReference; extractable: boolean; usages: string[]; algorithm: Algorithm },
    ): MadeKey => {
      const bytes = opened(() => aeskw(this.#held(by.key, 'unwrapKey').bytes).decrypt(data));
      const { algorithm, extractable, usages } = by;
      return this.#keep({
        type: 'secret',
        algorithm: { name: algorithm.name },
        extractable,
        usages,
        bytes,
      });
    },
  };

  #gcm({ name, iv, additionalData }: Algorithm, reference: KeyReference, use: string) {
    if (name !== 'AES-GCM' || !iv) throw unsupported(`sealing by ${name}`);
    return gcm(this.#held(reference, use).bytes, iv, additionalData);
  }

  #keep(held: Held): MadeKey {
    const key = ++this.#last;
    this.#keys.set(key, held);
    const { bytes: _, ...facts } = held;
    return { ...facts, key };
  }

  #held({ key }: KeyReference, use?: string): Held {
    const held = this.#keys.get(key);
    if (!held || (use !== undefined && !held.usages.includes(use)))
      throw new DOMException('the key is not for this', 'InvalidAccessError');
    return held;
  }
}

const unsupported = (what: string): DOMException =>
  new DOMException(`${what} is not known here`, 'NotSupportedError');

function opened(decrypt: () => Uint8Array): Bytes {
  try {
    return copy(decrypt());
  } catch {
    throw new DOMException('it does not open', 'OperationError');
  }
}

const isCurve = (name: string): name is Curve => Object.hasOwn(PKCS8, name);
function curveOf(name: string): Curve {
  if (!isCurve(name)) throw unsupported(name);
  return name;
}

const publicOf = (curve: Curve, secret: Bytes): Bytes =>
  copy((curve === 'Ed25519' ? ed25519 : x25519).getPublicKey(secret));

function hashOf(hash: string | { name: string }) {
  const name = typeof hash === 'string' ? hash : hash.name;
  const found = HASHES[name as keyof typeof HASHES];
  if (found === undefined) throw unsupported(name);
  return found;
}

const copy = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);
const join = (a: Bytes, b: Bytes): Bytes => new Uint8Array([...a, ...b]);
const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toBase64Url = (bytes: Bytes): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const fromBase64Url = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
