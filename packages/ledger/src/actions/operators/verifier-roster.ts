/** The roster is one bounded record, so that drawing a committee has a bounded cost. */
import type { VerifierRecord, VerifierRosterRecord } from './records.ts';
import type { ReadableState, WritableState } from '../../state.ts';

export const MAX_ROSTER = 256;

export function rosterOf(state: ReadableState): VerifierRosterRecord['verifiers'] {
  return state.get('verifier-roster', 'active')?.verifiers ?? [];
}

export function putVerifier(state: WritableState, verifier: VerifierRecord): void {
  const {
    actorId: verifierId,
    independenceGroup,
    bondedAtHeight,
    conditionKinds,
    active,
  } = verifier;
  const declared = conditionKinds === undefined ? {} : { conditionKinds };
  state.put('verifier', verifierId, verifier);
  const others = rosterOf(state).filter((entry) => entry.verifierId !== verifierId);
  if (active && others.length === MAX_ROSTER) throw new Error('the verifier roster is full');
  const verifiers = active
    ? [...others, { bondedAtHeight, ...declared, independenceGroup, verifierId }]
    : others;
  state.put('verifier-roster', 'active', {
    verifiers: verifiers.toSorted((a, b) => (a.verifierId < b.verifierId ? -1 : 1)),
  });
}
