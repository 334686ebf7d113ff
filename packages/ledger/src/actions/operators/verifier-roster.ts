/**
 * The active verifiers in one bounded record, so that drawing a committee has a bounded cost. Actions that
 * install, revoke or unbond a verifier maintain it.
 */
import type { VerifierRecord, VerifierRosterRecord } from './records.ts';
import type { ReadableState, WritableState } from '../../state.ts';

/** A further verifier waits until another one leaves. */
export const MAX_ROSTER = 256;

export function rosterOf(state: ReadableState): VerifierRosterRecord['verifiers'] {
  return state.get('verifier-roster', 'active')?.verifiers ?? [];
}

/** Writes a verifier and its place in the roster. */
export function putVerifier(state: WritableState, verifier: VerifierRecord): void {
  const { actorId: verifierId, independenceGroup, bondedAtHeight, active } = verifier;
  state.put('verifier', verifierId, verifier);
  const others = rosterOf(state).filter((entry) => entry.verifierId !== verifierId);
  if (active && others.length === MAX_ROSTER) throw new Error('the verifier roster is full');
  const verifiers = active
    ? [...others, { bondedAtHeight, independenceGroup, verifierId }]
    : others;
  state.put('verifier-roster', 'active', {
    verifiers: verifiers.toSorted((a, b) => (a.verifierId < b.verifierId ? -1 : 1)),
  });
}
