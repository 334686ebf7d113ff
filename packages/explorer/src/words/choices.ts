/** Addresses are validated against these, in the first script. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'netd'] as const;
/** They cover the whole supply. */
export const MONEY_CLASSES = [
  'circulating',
  'escrow',
  'bonds',
  'stake',
  'faucet',
  'reward-pool',
  'treasury',
] as const;
