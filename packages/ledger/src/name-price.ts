import { DEFAULT_NAME_DEPOSIT, FREE_NAMES, zeroBits, type NamesPolicy } from '@netd/protocol';
import type { AuthorityRecord, PolicyRecord } from './chain-records.ts';
import { hasPaidByApplication, heldFor, takeName } from './names.ts';
import { requireThat } from './rule-error.ts';
import type { ReadableState, WritableState } from './state.ts';
import type { CheckContext } from './transition.ts';

export const namesPolicyOf = ({ names }: Pick<PolicyRecord, 'names'>): NamesPolicy =>
  names?.price === 'deposit' ? { deposit: DEFAULT_NAME_DEPOSIT, ...names } : (names ?? FREE_NAMES);

/**
 * Returns the bits of work that a registration needs: 0 if the name is held for its key; undefined if names
 * are free.
 */
export function requireNamePrice(
  { state, policy }: CheckContext,
  {
    envelope: { actorId, publicKeyHash },
    encoded,
  }: {
    envelope: { actorId: string; publicKeyHash: string };
    encoded: { readonly signedBytes: Uint8Array };
  },
): number | undefined {
  const { price, workBits, deposit } = namesPolicyOf(policy);
  if (price === 'free') return undefined;
  if (heldFor(state, actorId) === publicKeyHash) return 0;
  const path = '/actorId';
  requireThat(price === 'work', 'NAME_DEPOSIT_MISSING', path, () => `it is ${deposit} unet`);
  const work = zeroBits(encoded.signedBytes);
  requireThat(
    work >= workBits,
    'NAME_WORK_MISSING',
    '/nonce',
    () =>
      `the SHA-256 of its signed bytes begins with ${work} zero bits, and a name costs ${workBits}`,
  );
  return workBits;
}

/** True if names are free, or if the actor paid with its registration or application. */
export const isNamePaid = (
  state: ReadableState,
  policy: PolicyRecord,
  { actorId, roles }: Pick<AuthorityRecord, 'actorId' | 'roles'>,
): boolean =>
  namesPolicyOf(policy).price === 'free' ||
  roles.includes('OPERATOR') ||
  state.get('agent', actorId)?.workBits !== undefined ||
  hasPaidByApplication(state, actorId);

export function forgetNamePrice(state: WritableState, actorId: string): void {
  const agent = state.get('agent', actorId);
  if (agent) {
    const { workBits: _paid, ...unpaid } = agent;
    state.put('agent', actorId, unpaid);
  }
  if (hasPaidByApplication(state, actorId)) takeName(state, actorId);
}
