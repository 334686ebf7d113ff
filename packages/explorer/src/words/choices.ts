/** Choices that addresses are validated against, in the first script. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'netd'] as const;
/** Classes of money, which cover the whole supply. */
export const MONEY_CLASSES = [
  'circulating',
  'escrow',
  'bonds',
  'stake',
  'faucet',
  'reward-pool',
  'treasury',
] as const;
