/** Choices of a reader, small enough to stand in the first script: addresses are checked against them. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'netd'] as const;
/** The classes of money; every unit of the supply is in one of them. */
export const MONEY_CLASSES = [
  'circulating',
  'escrow',
  'bonds',
  'stake',
  'faucet',
  'reward-pool',
  'treasury',
] as const;
