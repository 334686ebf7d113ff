/** What has ever moved for a purpose: sums kept as things happen, beside the balances that say where all of it is. */
import type { WritableState } from './state.ts';

export const FLOWS = {
  faucet: 'Paid by the faucet.',
  'work-paid': 'Paid to workers for verified work.',
  'verification-fees': 'Paid to verifiers for their votes.',
  'reward-funding': 'Added to the reward pool by operators.',
  'validator-rewards': 'Paid from the reward pool to validator candidates themselves.',
  'delegator-rewards': 'Paid from the reward pool into delegated stake.',
  slashed: 'Taken by evidence from bonds and stake, into the reward pool.',
  delegated: 'Delegated to validator candidates.',
  released: 'Given back to delegators after unbonding.',
} as const;
export type FlowName = keyof typeof FLOWS;

export const FLOW_NAMES = Object.keys(FLOWS) as FlowName[];

/** @param amount in unet */
export function addToFlow(state: WritableState, name: FlowName, amount: number): void {
  if (amount === 0) return;
  // The same money moves again and again; the sum must stay an exact integer.
  const sum = Math.min((state.get('flow', name) ?? 0) + amount, Number.MAX_SAFE_INTEGER);
  state.put('flow', name, sum);
}
