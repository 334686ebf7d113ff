/** Kinds of work whose deliveries are rejected again and again: an agent that goes on would only fail more. */

/** Rejections of one kind in a row after which no more of it is taken. */
const MOST = 3;

export class Rejections {
  private readonly inARow = new Map<string, string[][]>();

  /**
   * @param reasons of the verifiers
   * @returns all reasons of the row where the kind is paused by this rejection, else null
   */
  rejected(jobType: string, reasons: string[]): string[] | null {
    const row = [...(this.inARow.get(jobType) ?? []), reasons];
    this.inARow.set(jobType, row);
    return row.length === MOST ? [...new Set(row.flat())] : null;
  }

  paid(jobType: string): void {
    this.inARow.delete(jobType);
  }

  isPaused(jobType: string): boolean {
    return (this.inARow.get(jobType)?.length ?? 0) >= MOST;
  }

  /** @param jobType all kinds where it is left out */
  resume(jobType?: string): void {
    if (jobType === undefined) this.inARow.clear();
    else this.inARow.delete(jobType);
  }
}
