import type { SourceBlock } from '@netd/engine';
import { readBlock, type Origin, type ReceivedEvents } from './origin.ts';

const MOST_AHEAD = 16;
/** Characters in flight. Large blocks wait in memory, so fewer are requested. */
const CHARACTERS_AHEAD = 4_000_000;

export class BlockPrefetcher {
  private readonly origin: Pick<Origin, 'blockText'>;
  private readonly events: ReceivedEvents;
  private readonly signal: AbortSignal | undefined;
  /** Unparsed, because a string costs the garbage collector nothing. */
  private readonly ahead = new Map<number, Promise<string>>();
  private limit = MOST_AHEAD / 2;

  /** @param events `none` for a caller that executes the blocks, which yields the events */
  constructor(origin: Pick<Origin, 'blockText'>, events: ReceivedEvents, signal?: AbortSignal) {
    this.origin = origin;
    this.events = events;
    this.signal = signal;
  }

  async take(height: number, last: number): Promise<SourceBlock> {
    for (let next = height; next <= Math.min(last, height + this.limit); next++) {
      if (this.ahead.has(next)) continue;
      const promise = this.begin(next);
      promise.catch(() => {});
      this.ahead.set(next, promise);
    }
    const text = this.ahead.get(height) ?? this.begin(height);
    this.ahead.delete(height);
    const { events, ...block } = readBlock(height, await text);
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
