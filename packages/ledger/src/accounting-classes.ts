/** Accounting classes of the native currency. Together they always hold the whole supply. */

export const ACCOUNTING_CLASSES = {
  circulating: 'Balances of actors.',
  faucet: 'NET that the faucet can still pay out.',
  treasury: 'Reserved for the network by genesis.',
  'reward-pool': 'Rewards for validators, and all slashed NET.',
  escrow: 'Funding and fees of work orders that have not ended.',
  bonds: 'Bonds of verifiers, validators, providers, workers and disputes.',
  stake: 'Delegated to validators.',
} as const;
export type AccountingClass = keyof typeof ACCOUNTING_CLASSES;

export const CLASS_NAMES = Object.keys(ACCOUNTING_CLASSES) as AccountingClass[];

export const classAccount = (name: AccountingClass): string => `net:${name}`;

export function classOf(accountId: string): AccountingClass {
  const name = CLASS_NAMES.find((known) => accountId === classAccount(known));
  return name ?? 'circulating';
}
