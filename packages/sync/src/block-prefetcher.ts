/** Blocks are asked for before their turn comes, a few at once. */
import type { SourceBlock } from '@netd/engine';
import { readBlock, type Origin, type ReceivedEvents } from './origin.ts';

/** Blocks requested ahead of the one that is executed, at most: of a small one the round trip takes longest. */
const MOST_AHEAD = 16;
/** Fewer of large blocks, down to one, since they wait in memory: so many characters if all were as long as the last. */
const CHARACTERS_AHEAD = 4_000_000;

export class BlockPrefetcher {
  private readonly origin: Pick<Origin, 'blockText'>;
  private readonly events: ReceivedEvents;
  private readonly signal: AbortSignal | undefined;
  /** The answers as they came: one string is nothing to a garbage collector, what is in it is tens of thousands of objects. */
  private readonly ahead = new Map<number, Promise<string>>();
  private limit = MOST_AHEAD / 2;

  /** @param events `none` for a caller that executes the blocks: that gives them, and the header proves them */
  constructor(origin: Pick<Origin, 'blockText'>, events: ReceivedEvents, signal?: AbortSignal) {
    this.origin = origin;
    this.events = events;
    this.signal = signal;
  }

  /**
   * The block of a height; those after it are asked for meanwhile, up to the last that there is.
   * @throws what Origin.block throws
   */
  async take(height: number, last: number): Promise<SourceBlock> {
    for (let next = height; next <= Math.min(last, height + this.limit); next++) {
      if (this.ahead.has(next)) continue;
      const promise = this.begin(next);
      // The caller hears of the failure.
      promise.catch(() => {});
      this.ahead.set(next, promise);
    }
    const text = this.ahead.get(height) ?? this.begin(height);
    this.ahead.delete(height);
    const { events, ...block } = readBlock(height, await text);
    // None was asked for, which says nothing of how many there are; those that come all the same have to be right.
    const isAsAsked = this.events === 'none' && events.length === 0;
    return isAsAsked ? block : { ...block, events };
  }

  private async begin(height: number): Promise<string> {
    const text = await this.origin.blockText(height, this.signal, this.events);
    const fitting = Math.floor(CHARACTERS_AHEAD / Math.max(1, text.length));
    this.limit = Math.min(MOST_AHEAD, Math.max(1, fitting));
    return text;
  }
}
