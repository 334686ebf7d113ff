/** Blocks are asked for before their turn comes, a few at once. */
import type { SourceBlock } from '../verify/block-replay.ts';

/** Blocks asked for ahead of the one that is executed, at most: of small ones the way there and back takes longest. */
const MOST_AHEAD = 16;
/** Of large blocks fewer, down to one: they wait in memory. As many transitions, if all were like the last one. */
const TRANSITIONS_AHEAD = 2_000;

export class DownloadsAhead {
  private readonly download: (height: number) => Promise<SourceBlock>;
  private readonly ahead = new Map<number, Promise<SourceBlock>>();
  private limit = MOST_AHEAD / 2;

  constructor(download: (height: number) => Promise<SourceBlock>) {
    this.download = download;
  }

  /**
   * The block of a height; those after it are asked for meanwhile, up to the last that there is.
   * @throws what the download throws
   */
  take(height: number, last: number): Promise<SourceBlock> {
    for (let next = height; next <= Math.min(last, height + this.limit); next++) {
      if (this.ahead.has(next)) continue;
      const promise = this.begin(next);
      // Whoever asks for it hears of the failure.
      promise.catch(() => {});
      this.ahead.set(next, promise);
    }
    const block = this.ahead.get(height) ?? this.begin(height);
    this.ahead.delete(height);
    return block;
  }

  /** What a copy does not replay does not wait in memory. */
  private async begin(height: number): Promise<SourceBlock> {
    const { header, certificate, transitions } = await this.download(height);
    const fitting = Math.floor(TRANSITIONS_AHEAD / Math.max(1, transitions.length));
    this.limit = Math.min(MOST_AHEAD, Math.max(1, fitting));
    return { header, certificate, transitions };
  }
}
