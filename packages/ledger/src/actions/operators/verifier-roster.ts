/**
 * The verifiers that committees are drawn from, in one bounded record: a drawing reads it whole, so its cost does not
 * grow with all verifiers there ever were. The actions that install, revoke or unbond a verifier maintain it.
 */
import type { VerifierRecord, VerifierRosterRecord } from './records.ts';
import type { ReadableState, WritableState } from '../../state.ts';

/** Active verifiers of a network at one time; a further one waits until another leaves. */
export const MAX_ROSTER = 256;

export function rosterOf(state: ReadableState): VerifierRosterRecord['verifiers'] {
  return state.get('verifier-roster', 'active')?.verifiers ?? [];
}

/** Puts the record of a verifier, and its place in the roster: there while active, gone otherwise. */
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
