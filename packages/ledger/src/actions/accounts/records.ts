/** What the state holds of accounts and the faucet. */

export interface AccountRecord {
  accountId: string;
  /** In unet. */
  balance: number;
  /** What the faucet has paid to it, ever. */
  faucetReceived: number;
}

/** What the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
  /** Of that, to accounts that had drawn before. */
  paidAgain: number;
}
