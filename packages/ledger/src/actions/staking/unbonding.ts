/**
 * The way back of undelegated stake. Until its release it stays in net:stake, within reach of evidence: what faults
 * have taken from it meanwhile is worked out when it is released, so that a fault never walks them.
 */
import { classAccount, move } from '../../accounting.ts';
import type { TransitionContext } from '../../action.ts';
import type { UnbondingRecord } from './records.ts';
import { addToFlow } from '../../flows.ts';
import type { ReadableState } from '../../state.ts';
import type { SystemKind, SystemRule } from '../../system-rule.ts';
import { isReached } from '../work/order.ts';
import { afterFaults, delegatorOf, putDelegator, STAKE } from './stake.ts';

/** Unbondings released in one block at most; the others come with the next block. */
const UNBONDINGS_RELEASED = 64;

/** What an unbonding would give back now, in unet. */
export function unbondingWorth(
  state: ReadableState,
  { validatorId, amount, faultsBefore }: UnbondingRecord,
): number {
  const faults = state.get('validator-candidate', validatorId)?.faults ?? faultsBefore;
  return afterFaults(amount, faults - faultsBefore);
}

export const STAKING_SYSTEM_KINDS = {
  releaseStake: {
    summary: 'The unbonding delay has passed: undelegated stake goes back to its account.',
    events: {
      StakeReleased: 'Undelegated stake is back in the account, less what evidence took.',
    },
    apply: release,
  },
} as const satisfies Record<string, SystemKind>;

export const STAKING_SYSTEM_RULES: readonly SystemRule<keyof typeof STAKING_SYSTEM_KINDS>[] = [
  {
    collection: 'unbonding',
    until: ({ height }) => height,
    limit: UNBONDINGS_RELEASED,
    // The delay is the same for all: whoever comes later by height comes later by time.
    kindOf: (state, block, unbondingId) =>
      isReached(unbondingOf(state, unbondingId).releaseAt, block) ? 'releaseStake' : null,
  },
];

function release({ state, emit }: TransitionContext, unbondingId: string): void {
  const unbonding = unbondingOf(state, unbondingId);
  const { actorId, validatorId, amount } = unbonding;
  const candidate = state.get('validator-candidate', validatorId);
  if (!candidate) throw new Error(`there is no candidate ${validatorId}`);
  const released = unbondingWorth(state, unbonding);
  const slashed = amount - released;
  move(state, STAKE, actorId, released);
  move(state, STAKE, classAccount('reward-pool'), slashed);
  addToFlow(state, 'released', released);
  addToFlow(state, 'slashed', slashed);
  state.put('validator-candidate', validatorId, {
    ...candidate,
    unbonding: candidate.unbonding - amount,
  });
  const delegator = delegatorOf(state, actorId);
  putDelegator(state, delegator, { ...delegator, unbondings: delegator.unbondings - 1 });
  state.delete('unbonding', unbondingId);
  emit('StakeReleased', { actorId, validatorId, unbondingId, amount: released, slashed });
}

function unbondingOf(state: ReadableState, unbondingId: string): UnbondingRecord {
  const unbonding = state.get('unbonding', unbondingId);
  if (!unbonding) throw new Error(`there is no unbonding ${unbondingId}`);
  return unbonding;
}
