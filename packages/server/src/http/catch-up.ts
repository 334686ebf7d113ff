/**
 * Lets the readers of event streams catch up in turn. Whatever they have missed, a turn of the event loop reads a few pages
 * and no more, so that requests and blocks come in between; none is refused, all wait.
 */
import type { HttpLimits } from './limits.ts';

/**
 * Reads and writes one page for a reader. It answers `more` where it wants another turn, `done` where it has caught up, is
 * gone, or comes back by itself once its connection takes more.
 */
export type ReadPage = () => 'more' | 'done';

export class CatchUp {
  private readonly pagesPerTurn: number;
  /** A reader of another page comes after all others: one that is nearly there does not wait for those far behind. */
  private readonly waiting = new Set<ReadPage>();
  private scheduled = false;

  constructor({ catchUpPagesPerTurn }: Pick<HttpLimits, 'catchUpPagesPerTurn'>) {
    this.pagesPerTurn = catchUpPagesPerTurn;
  }

  /** Gives a reader its turns until it is done. */
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
