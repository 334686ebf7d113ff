/** What the state holds of accounts and the faucet. */

export interface AccountRecord {
  accountId: string;
  /** The balance in unet. */
  balance: number;
  /** Unet that the faucet has paid to it, ever. */
  faucetReceived: number;
}

/** The amounts in unet that the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
  /** The part of `paid` that went to accounts that had drawn before. */
  paidAgain: number;
}
