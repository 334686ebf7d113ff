export const CUMULATIVE_TOTALS = {
  faucet: 'Paid by the faucet.',
  'work-paid': 'Paid to workers for verified work.',
  'verification-fees': 'Paid to verifiers for their votes.',
  'worker-bonds-forfeited':
    'Paid to requesters out of the bonds of workers that delivered nothing.',
  'reward-funding': 'Added to the reward pool by operators.',
  'validator-rewards': 'Paid from the reward pool to validator candidates themselves.',
  'delegator-rewards': 'Paid from the reward pool into delegated stake.',
  slashed: 'Taken by evidence from bonds and stake, into the reward pool.',
  delegated: 'Delegated to validator candidates.',
  released: 'Returned to delegators after unbonding.',
} as const;
export type CumulativeTotalName = keyof typeof CUMULATIVE_TOTALS;

export const CUMULATIVE_TOTAL_NAMES = Object.keys(CUMULATIVE_TOTALS) as CumulativeTotalName[];
