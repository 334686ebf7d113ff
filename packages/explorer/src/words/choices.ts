/** What a reader chooses from, small enough to stand in the first script: addresses are checked against it. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'netd'] as const;
/** What the supply is counted as; every unit is in one of them. */
export const MONEY_CLASSES = [
  'circulating',
  'escrow',
  'bonds',
  'stake',
  'faucet',
  'reward-pool',
  'treasury',
] as const;
