/** Blocks are asked for before their turn comes, a few at once. */
import type { SourceBlock } from '../verify/block-replay.ts';

/** Blocks asked for ahead of the one that is executed. */
const AHEAD = 8;

export class DownloadsAhead {
  private readonly download: (height: number) => Promise<SourceBlock>;
  private readonly ahead = new Map<number, Promise<SourceBlock>>();

  constructor(download: (height: number) => Promise<SourceBlock>) {
    this.download = download;
  }

  /**
   * The block of a height; those after it are asked for meanwhile, up to the last that there is.
   * @throws what the download throws
   */
  take(height: number, last: number): Promise<SourceBlock> {
    for (let next = height; next <= Math.min(last, height + AHEAD); next++) {
      if (this.ahead.has(next)) continue;
      const promise = this.download(next);
      // Whoever asks for it hears of the failure.
      promise.catch(() => {});
      this.ahead.set(next, promise);
    }
    const block = this.ahead.get(height) ?? this.download(height);
    this.ahead.delete(height);
    return block;
  }
}
