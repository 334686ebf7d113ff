import { classAccount } from '../../accounting-classes.ts';
import { move } from '../../accounting.ts';
import { count } from '../../counters.ts';
import { addToTotal } from '../../cumulative-totals.ts';
import type { WritableState } from '../../state.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { leaveRoster } from '../operators/validator-roster.ts';
import { slashBond } from '../work/order.ts';
import { slashOf, STAKE } from './stake.ts';

/** Moves a tenth of bond and stake to the reward pool. The candidate leaves the roster for good. */
export function slashCandidate(
  state: WritableState,
  candidate: ValidatorCandidateRecord,
): { slashedBond: number; slashedStake: number } {
  const slashedBond = slashOf(candidate.selfBond);
  const slashedStake = slashOf(candidate.delegated);
  slashBond(state, slashedBond);
  move(state, STAKE, classAccount('reward-pool'), slashedStake);
  addToTotal(state, 'slashed', slashedStake);
  state.put('validator-candidate', candidate.actorId, {
    ...candidate,
    selfBond: candidate.selfBond - slashedBond,
    delegated: candidate.delegated - slashedStake,
    faults: candidate.faults + 1,
  });
  count(state, 'validator-faults', 1);
  leaveRoster(state, candidate);
  return { slashedBond, slashedStake };
}
