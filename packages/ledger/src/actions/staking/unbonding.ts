/**
 * The way back of undelegated stake. Until its release it stays in net:stake, within reach of evidence: what faults
 * have taken from it meanwhile is worked out when it is released, so that a fault never walks them.
 */
import type { UnbondingRecord } from './records.ts';
import type { ReadableState } from '../../state.ts';
import { afterFaults } from './stake.ts';

/** The amount that an unbonding would give back now, in unet. */
export function unbondingWorth(
  state: ReadableState,
  { validatorId, amount, faultsBefore }: UnbondingRecord,
): number {
  const faults = state.get('validator-candidate', validatorId)?.faults ?? faultsBefore;
  return afterFaults(amount, faults - faultsBefore);
}
