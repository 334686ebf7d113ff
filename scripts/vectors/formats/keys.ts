import { createPrivateKey, createPublicKey } from 'node:crypto';
import { encryptionKeyOf, type EncryptionSecret } from '@netd/formats';
import { bytesToHex, sha256 } from '@netd/protocol';

/** The X25519 key of a name: always the same one. */
export function encryptionKey(name: string): EncryptionSecret {
  const seed = sha256(`encryption key of ${name}`);
  const der = Buffer.from(`302e020100300506032b656e04220420${bytesToHex(seed)}`, 'hex');
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { ...encryptionKeyOf(x), d: Buffer.from(seed).toString('base64url') };
}
