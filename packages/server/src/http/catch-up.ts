/**
 * Lets readers of event streams catch up in turns. A turn of the event loop reads only a few pages, so requests
 * and blocks come in between. Readers wait, but none is refused.
 */
import type { HttpLimits } from './limits.ts';

/**
 * Reads and writes one page for a reader. Returns `more` for another turn, `done` if it has caught up, is gone,
 * or resumes when its connection drains.
 */
export type ReadPage = () => 'more' | 'done';

export class CatchUp {
  private readonly pagesPerTurn: number;
  /**
   * A reader that needs another page queues again, so readers that are nearly done need not wait for those far
   * behind.
   */
  private readonly waiting = new Set<ReadPage>();
  private scheduled = false;

  constructor({ catchUpPagesPerTurn }: Pick<HttpLimits, 'catchUpPagesPerTurn'>) {
    this.pagesPerTurn = catchUpPagesPerTurn;
  }

  /** Schedules a reader until it is done. */
  add(reader: ReadPage): void {
    this.waiting.add(reader);
    this.schedule();
  }

  private takeTurn(): void {
    this.scheduled = false;
    let left = this.pagesPerTurn;
    for (const reader of this.waiting) {
      if (left-- === 0) break;
      this.waiting.delete(reader);
      if (reader() === 'more') this.add(reader);
    }
    if (this.waiting.size > 0) this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.takeTurn());
  }
}
