export interface AccountRecord {
  accountId: string;
  /** In unet. */
  balance: number;
  faucetReceived: number;
}

/** Unet that the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
  /** The part of `paid` that went to accounts that had used the faucet before. */
  paidAgain: number;
}
