/**
 * Undelegated stake stays in net:stake, within reach of evidence. Its loss is computed at the release, so
 * that a fault need not walk the unbondings.
 */
import type { UnbondingRecord } from './records.ts';
import type { ReadableState } from '../../state.ts';
import { afterFaults } from './stake.ts';

export function unbondingWorth(
  state: ReadableState,
  { validatorId, amount, faultsBefore }: UnbondingRecord,
): number {
  const faults = state.get('validator-candidate', validatorId)?.faults ?? faultsBefore;
  return afterFaults(amount, faults - faultsBefore);
}
