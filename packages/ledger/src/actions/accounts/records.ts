export interface AccountRecord {
  accountId: string;
  /** In unet. */
  balance: number;
  /** Unet that the faucet has ever paid to it. */
  faucetReceived: number;
}

/** Unet that the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
  /** The part of `paid` that went to accounts that had drawn before. */
  paidAgain: number;
}
