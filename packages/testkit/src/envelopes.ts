/** Envelopes as bytes, as clients send them. */
import { OPERATOR } from '@netd/ledger/testing';
import { canonicalize, utf8Bytes, type JsonObject } from '@netd/protocol';
import {
  intentOf,
  registrationOf,
  signEnvelope,
  signingKeyOf,
  testKey,
  type SigningKey,
} from '@netd/protocol/testing';
import type { KeyFile } from '@netd/node/keys';

export function registrationBytes(actorId: string, members: JsonObject = {}): Uint8Array {
  const key = testKey(actorId);
  const unsigned = registrationOf({ actorId, key }, { nonce: `join-${actorId}`, ...members });
  return signedBytes(key, unsigned);
}

export function intentBytes(
  actorId: string,
  action: string,
  payload: JsonObject,
  members: JsonObject & { nonce: string; expiresAtHeight: number },
): Uint8Array {
  return signedBytes(testKey(actorId), intentOf(actorId, { action, payload, ...members }));
}

/** Returns a transfer by a data directory's operator. */
export function giftBytes(
  operator: KeyFile,
  to: string,
  nonce: string,
  expiresAtHeight: number,
): Uint8Array {
  const payload = { to, amount: 1 };
  const unsigned = intentOf(OPERATOR, { action: 'transfer', payload, nonce, expiresAtHeight });
  return signedBytes(signingKeyOf(operator.privateKey), unsigned);
}

function signedBytes(key: SigningKey, unsigned: JsonObject): Uint8Array {
  return utf8Bytes(canonicalize(signEnvelope(key, unsigned)));
}
