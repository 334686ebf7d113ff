/** Pauses a job type after repeated rejections, because further work would fail too. */

const MOST = 3;

export class Rejections {
  private readonly inARow = new Map<string, string[][]>();

  /** Notes a rejection. Returns all reasons if it pauses the type, otherwise null. */
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

  resume(jobType?: string): void {
    if (jobType === undefined) this.inARow.clear();
    else this.inARow.delete(jobType);
  }
}
