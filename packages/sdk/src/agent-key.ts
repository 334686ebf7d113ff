/** An Ed25519 key that signs envelopes. The private key stays inside. */
import {
  base64ToBytes,
  bytesToBase64,
  bytesToSign,
  publicKeyHash,
  type JsonObject,
} from '@netd/protocol';
import { exactValue } from './agent/exact-value.ts';

/** WebCrypto's key handle, whichever runtime provides it. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** What structured clone can keep of a key, as in IndexedDB: the private half is a handle, and no bytes. */
export interface KeyHandle {
  /** SPKI PEM. */
  publicKey: string;
  privateKey: SigningKey;
}

export class AgentKey {
  /** SPKI PEM. */
  readonly publicKey: string;
  readonly publicKeyHash: string;
  private readonly privateKey: SigningKey;

  private constructor(publicKey: string, privateKey: SigningKey) {
    this.publicKey = publicKey;
    this.publicKeyHash = publicKeyHash(publicKey);
    this.privateKey = privateKey;
  }

  /**
   * @param pair PEM texts: PKCS #8 private key and SPKI public key
   * @throws Error where the private key is not an Ed25519 key
   */
  static async fromPem(pair: { privateKey: string; publicKey: string }): Promise<AgentKey> {
    const der = pemBytes(pair.privateKey);
    const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
    return new AgentKey(pair.publicKey, key);
  }

  /** A fresh key. */
  static async generate(): Promise<AgentKey> {
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as {
      publicKey: SigningKey;
      privateKey: SigningKey;
    };
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
    const pem = `-----BEGIN PUBLIC KEY-----\n${bytesToBase64(spki)}\n-----END PUBLIC KEY-----\n`;
    return new AgentKey(pem, pair.privateKey);
  }

  /**
   * A key that was kept as a handle.
   * @throws TypeError where the private half does not sign with Ed25519, or could be exported
   */
  static fromHandle({ publicKey, privateKey }: KeyHandle): AgentKey {
    const { algorithm, usages, extractable } = privateKey;
    if (algorithm.name !== 'Ed25519' || !usages.includes('sign') || extractable) {
      throw new TypeError('the handle is not that of an Ed25519 key that signs and stays inside');
    }
    return new AgentKey(publicKey, privateKey);
  }

  /** The key as it can be kept: a holder of the handle can sign with it, and not take the key elsewhere. */
  handle(): KeyHandle {
    return { publicKey: this.publicKey, privateKey: this.privateKey };
  }

  /**
   * The envelope with its signature, over its canonical JSON; without its members that are undefined.
   * @throws AgentError VALUE_NOT_JSON with the path of a part that JSON cannot carry
   */
  async sign<Envelope extends JsonObject>(
    envelope: Envelope,
  ): Promise<Envelope & { signature: string }> {
    const exact = exactValue(envelope) as Envelope;
    return { ...exact, signature: bytesToBase64(await this.signBytes(bytesToSign(exact))) };
  }

  /** The 64 bytes of the signature over any bytes: requests to a store of blobs are signed so. */
  async signBytes(bytes: Uint8Array): Promise<Uint8Array> {
    const data = bytes as Uint8Array<ArrayBuffer>;
    return new Uint8Array(await crypto.subtle.sign('Ed25519', this.privateKey, data));
  }
}

function pemBytes(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  return base64ToBytes(base64) as Uint8Array<ArrayBuffer>;
}
