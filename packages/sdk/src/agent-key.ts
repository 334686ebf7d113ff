/** An Ed25519 key. Its private half is not exportable. */
import {
  base64ToBytes,
  bytesToBase64,
  bytesToSign,
  publicKeyHash,
  type JsonObject,
} from '@netd/protocol';
import { requireObject, requireText } from './agent/arguments.ts';
import { refuseArgument } from './agent/core-error.ts';
import { exactValue } from './agent/exact-value.ts';

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key of WebCrypto that signs and cannot be exported. */
export interface KeyHandle {
  /** SPKI PEM. */
  publicKey: string;
  /** The private key. */
  privateKey: SigningKey;
}

/** An Ed25519 key that signs. Its private half is not exportable. */
export class AgentKey {
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Lowercase hex SHA-256 of the public key, as on the chain. */
  readonly publicKeyHash: string;
  private readonly privateKey: SigningKey;

  private constructor(publicKey: string, privateKey: SigningKey) {
    this.publicKey = publicKey;
    this.publicKeyHash = publicKeyHash(publicKey);
    this.privateKey = privateKey;
  }

  /**
   * @param pair PKCS #8 and SPKI PEM
   * @throws AgentError ARGUMENT_INVALID
   */
  static async fromPem(pair: { privateKey: string; publicKey: string }): Promise<AgentKey> {
    requireObject('pair', pair);
    requireText('publicKey', pair.publicKey);
    requireText('privateKey', pair.privateKey);
    try {
      const der = pemBytes(pair.privateKey);
      const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
      await crypto.subtle.importKey('spki', pemBytes(pair.publicKey), 'Ed25519', false, ['verify']);
      return new AgentKey(pair.publicKey, key);
    } catch {
      // Don't quote the texts, because one is secret.
      return refuseArgument('pair', 'these are no PEM texts of an Ed25519 key, PKCS #8 and SPKI');
    }
  }

  /** Makes a new key. */
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
   * Restores a stored key.
   * @throws TypeError if the private half cannot sign with Ed25519, or is exportable
   */
  static fromHandle({ publicKey, privateKey }: KeyHandle): AgentKey {
    const { algorithm, usages, extractable } = privateKey;
    if (algorithm.name !== 'Ed25519' || !usages.includes('sign') || extractable) {
      throw new TypeError('the handle is not that of an Ed25519 key that signs and stays inside');
    }
    return new AgentKey(publicKey, privateKey);
  }

  /** Returns the key as IndexedDB can store it. */
  handle(): KeyHandle {
    return { publicKey: this.publicKey, privateKey: this.privateKey };
  }

  /**
   * Signs the envelope's canonical JSON without `undefined` members.
   * @throws AgentError VALUE_NOT_JSON with the path of the fault
   */
  async sign<Envelope extends JsonObject>(
    envelope: Envelope,
  ): Promise<Envelope & { signature: string }> {
    const exact = exactValue(envelope) as Envelope;
    return { ...exact, signature: bytesToBase64(await this.signBytes(bytesToSign(exact))) };
  }

  /** Returns the 64 bytes of an Ed25519 signature. */
  async signBytes(bytes: Uint8Array): Promise<Uint8Array> {
    const data = bytes as Uint8Array<ArrayBuffer>;
    return new Uint8Array(await crypto.subtle.sign('Ed25519', this.privateKey, data));
  }
}

function pemBytes(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  return base64ToBytes(base64) as Uint8Array<ArrayBuffer>;
}
