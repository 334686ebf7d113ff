/** Envelopes as bytes, as a client sends them to a node. */
import { OPERATOR, signEnvelope, testKey, type TestKey } from '@netd/ledger/testing';
import { canonicalize, utf8Bytes, type JsonObject } from '@netd/protocol';
import { createPrivateKey, sign } from 'node:crypto';
import type { KeyFile } from '../keys.ts';

export type SigningKey = Pick<TestKey, 'sign'>;

function signingKey({ privateKey }: KeyFile): SigningKey {
  const key = createPrivateKey(privateKey);
  return { sign: (bytes) => sign(null, bytes, key).toString('base64') };
}

export function registrationBytes(actorId: string): Uint8Array {
  const key = testKey(actorId);
  const { publicKey, publicKeyHash } = key;
  return utf8Bytes(
    canonicalize(
      signEnvelope(key, { actorId, publicKey, publicKeyHash, nonce: `join-${actorId}` }),
    ),
  );
}

export function intentBytes(
  actorId: string,
  action: string,
  payload: JsonObject,
  members: JsonObject & { nonce: string; expiresAtHeight: number },
  key: SigningKey = testKey(actorId),
): Uint8Array {
  return utf8Bytes(canonicalize(signEnvelope(key, { actorId, action, payload, ...members })));
}

/** A transfer by the operator of a data directory. */
export function giftBytes(
  operator: KeyFile,
  to: string,
  nonce: string,
  expiresAtHeight: number,
): Uint8Array {
  const payload = { to, amount: 1 };
  return intentBytes(
    OPERATOR,
    'transfer',
    payload,
    { nonce, expiresAtHeight },
    signingKey(operator),
  );
}
