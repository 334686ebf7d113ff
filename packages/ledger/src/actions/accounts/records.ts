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
  /** The part paid to accounts that had drawn before. */
  paidAgain: number;
}
