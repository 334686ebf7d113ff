import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AuthorityRecord, StateReader } from '@netd/ledger';
import type { ValidatorDir } from './data-dir.ts';

export const nextKeyPath = (operatorKeyPath: string): string =>
  join(dirname(operatorKeyPath), 'operator.next.json');

/** @returns a sentence for the operator; null if the chain knows the key */
export function operatorKeyFault(
  { operator, operatorKeyPath, genesis }: ValidatorDir,
  state: Pick<StateReader, 'get'>,
): string | null {
  const { actorId, publicKey, publicKeyHash, chainId } = operator;
  const authority = state.get(`authority/${actorId}`) as AuthorityRecord | undefined;
  if (authority?.publicKey === publicKey) return null;
  const useless = `${operatorKeyPath} is not the key of ${actorId} on this chain, which takes nothing that it signs`;
  if (chainId !== genesis.chainId) {
    return `${useless}: it was made for ${chainId}, and this is ${genesis.chainId}; put the key of this chain there`;
  }
  if (existsSync(nextKeyPath(operatorKeyPath))) {
    return `${useless}: a rotation was interrupted; run netd keys rotate again, which ends it`;
  }
  return `${useless}: it was rotated, or is another chain's (it has hash ${publicKeyHash}, the chain has ${authority?.publicKeyHash ?? 'none'}); put the newer one there`;
}
