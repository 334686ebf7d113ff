/** A JWS over the canonical card, by a key that the chain knows (A2A v1.0.1 section 8.4). */
import { createPublicKey } from 'node:crypto';
import { canonicalizeAgentCard, AgentCard } from '@a2a-js/sdk';
import type { CardSigner } from '../http/context.ts';

/** Python's library does not know the newer name Ed25519 (RFC 9864). */
const ALGORITHM = 'EdDSA';

export interface CardSignature {
  protected: string;
  signature: string;
}

export function cardSignature(card: object, signer: CardSigner, keysUrl: string): CardSignature {
  const header = { alg: ALGORITHM, jku: keysUrl, kid: signer.keyId, typ: 'JOSE' };
  const protectedHeader = base64url(JSON.stringify(header));
  const payload = base64url(canonicalizeAgentCard(AgentCard.fromJSON(card)));
  const signature = signer.sign(Buffer.from(`${protectedHeader}.${payload}`));
  return { protected: protectedHeader, signature: Buffer.from(signature).toString('base64url') };
}

export function jwkOf({ keyId, publicKey }: CardSigner): Record<string, string> {
  const { kty = '', crv = '', x = '' } = createPublicKey(publicKey).export({ format: 'jwk' });
  return { kty, crv, x, kid: keyId, alg: ALGORITHM, use: 'sig' };
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
