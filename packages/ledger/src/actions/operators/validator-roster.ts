/**
 * The active validator candidates in one bounded record, the longest bonded first: a genesis candidate is made from
 * it at a cost that does not grow with all candidates there ever were. Whoever installs or revokes one keeps it.
 */
import type { ReadableState, WritableState } from '../../state.ts';

/** Active candidates at one time; a further one waits until another leaves. */
export const MAX_VALIDATOR_ROSTER = 256;

export function validatorRoster(state: ReadableState): string[] {
  return state.get('validator-roster', 'active')?.validatorIds ?? [];
}

export function joinRoster(state: WritableState, actorId: string): void {
  const others = validatorRoster(state);
  if (others.length >= MAX_VALIDATOR_ROSTER) throw new Error('the validator roster is full');
  state.put('validator-roster', 'active', { validatorIds: [...others, actorId] });
}

export function leaveRoster(state: WritableState, actorId: string): void {
  const validatorIds = validatorRoster(state).filter((id) => id !== actorId);
  state.put('validator-roster', 'active', { validatorIds });
}
