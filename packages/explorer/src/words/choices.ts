export const LANGUAGES = ['curl', 'typescript', 'python', 'netd'] as const;
/** Together they cover the whole supply. */
export const MONEY_CLASSES = [
  'circulating',
  'escrow',
  'bonds',
  'stake',
  'faucet',
  'reward-pool',
  'treasury',
] as const;
