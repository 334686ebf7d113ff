import type { HttpLimits } from './limits.ts';

export type ReadPage = () => 'more' | 'done';

export class CatchUp {
  private readonly pagesPerTurn: number;
  private readonly waiting = new Set<ReadPage>();
  private scheduled = false;

  constructor({ catchUpPagesPerTurn }: Pick<HttpLimits, 'catchUpPagesPerTurn'>) {
    this.pagesPerTurn = catchUpPagesPerTurn;
  }

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
