import { bytesToHex, rawKeyFromPem } from '@netd/protocol';
import type { WritableState } from './state.ts';

export function reserveKey(state: WritableState, publicKey: string, actorId: string): void {
  const rawKey = rawKeyFromPem(publicKey);
  if (rawKey) state.put('key', bytesToHex(rawKey), { actorId });
}
