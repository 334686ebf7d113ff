/**
 * The roster: active candidates without a proven fault, the longest bonded first. It is one bounded record,
 * so that a genesis candidate has a bounded cost.
 */
import type { ValidatorCandidateRecord } from './records.ts';
import { count } from '../../counters.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { countMember } from './groups.ts';

export const MAX_VALIDATOR_ROSTER = 256;

type Entry = Pick<ValidatorCandidateRecord, 'actorId' | 'faultDomain'>;

export function validatorRoster(state: ReadableState): string[] {
  return state.get('validator-roster', 'active')?.validatorIds ?? [];
}

export function joinRoster(state: WritableState, { actorId, faultDomain }: Entry): void {
  const others = validatorRoster(state);
  if (others.length >= MAX_VALIDATOR_ROSTER) throw new Error('the validator roster is full');
  state.put('validator-roster', 'active', { validatorIds: [...others, actorId] });
  count(state, 'eligible-validator-candidates', 1);
  countMember(state, 'validator-fault-domains', faultDomain, 1);
}

/** Does nothing if the candidate has left already: a fault and a revocation may come in either order. */
export function leaveRoster(state: WritableState, { actorId, faultDomain }: Entry): void {
  const before = validatorRoster(state);
  if (!before.includes(actorId)) return;
  state.put('validator-roster', 'active', { validatorIds: before.filter((id) => id !== actorId) });
  count(state, 'eligible-validator-candidates', -1);
  countMember(state, 'validator-fault-domains', faultDomain, -1);
}
