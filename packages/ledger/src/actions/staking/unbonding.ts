/**
 * Undelegated stake stays in net:stake until its release, within reach of evidence. Slashing is computed at
 * the release, so that a fault never walks the unbondings.
 */
import type { UnbondingRecord } from './records.ts';
import type { ReadableState } from '../../state.ts';
import { afterFaults } from './stake.ts';

/** Returns the unet that an unbonding would pay now. */
export function unbondingWorth(
  state: ReadableState,
  { validatorId, amount, faultsBefore }: UnbondingRecord,
): number {
  const faults = state.get('validator-candidate', validatorId)?.faults ?? faultsBefore;
  return afterFaults(amount, faults - faultsBefore);
}
