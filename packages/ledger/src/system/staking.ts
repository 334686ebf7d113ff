import { classAccount } from '../accounting-classes.ts';
import { move } from '../accounting.ts';
import { STAKE, delegatorOf, putDelegator } from '../actions/staking/stake.ts';
import { unbondingWorth } from '../actions/staking/unbonding.ts';
import { addToTotal } from '../cumulative-totals.ts';
import type { SystemTransition } from '../transition.ts';

export const releaseStake: SystemTransition = {
  summary: 'The unbonding delay has passed: undelegated stake goes back to its account.',
  events: ['StakeReleased'],
  apply({ state, emit }, unbondingId) {
    const unbonding = state.get('unbonding', unbondingId);
    if (!unbonding) throw new Error(`there is no unbonding ${unbondingId}`);
    const { actorId, validatorId, amount } = unbonding;
    const candidate = state.get('validator-candidate', validatorId);
    if (!candidate) throw new Error(`there is no candidate ${validatorId}`);
    const released = unbondingWorth(state, unbonding);
    const slashed = amount - released;
    move(state, STAKE, actorId, released);
    move(state, STAKE, classAccount('reward-pool'), slashed);
    addToTotal(state, 'released', released);
    addToTotal(state, 'slashed', slashed);
    state.put('validator-candidate', validatorId, {
      ...candidate,
      unbonding: candidate.unbonding - amount,
    });
    const delegator = delegatorOf(state, actorId);
    putDelegator(state, delegator, { ...delegator, unbondings: delegator.unbondings - 1 });
    state.delete('unbonding', unbondingId);
    emit('StakeReleased', { actorId, amount: released, slashed, unbondingId, validatorId });
  },
};
