import { generateKeyPairSync } from 'node:crypto';
import type { StaffKey } from '../staff.ts';

export function newKey(actorId: string): StaffKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return {
    actorId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    encryption: { x, d },
  };
}
