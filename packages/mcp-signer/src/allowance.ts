/** What may leave the account without a question, in all: many small payments are one large one. */
export class Allowance {
  private readonly askAbove: number;
  /** unet that this process has spent, or perhaps has: a call whose fate is not known counts. */
  private spentHere = 0;
  /** Of that, what the owner was asked about. */
  private approved = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(askAbove: number) {
    this.askAbove = askAbove;
  }

  /**
   * Whether the owner has to be asked first.
   * @param spentBySession unet, as the chain counts them: also what processes before this one have spent
   */
  isExceeded(amount: number, spentBySession: number): boolean {
    const unasked = Math.max(spentBySession, this.spentHere) - this.approved;
    return unasked + amount > this.askAbove;
  }

  /** Counts what the work spends, unless it is refused. */
  async spend<Result>(
    amount: number,
    isApproved: boolean,
    work: () => Promise<Result>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<Result> {
    const approved = isApproved ? amount : 0;
    this.spentHere += amount;
    this.approved += approved;
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) {
        this.spentHere -= amount;
        this.approved -= approved;
      }
      throw error;
    }
  }

  /** One after the other: two that are looked at together would both find the same allowance. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn;
  }
}
