/** Keeps the table of frames up to date as blocks are written. `rebuild-lists.ts` rebuilds it from the blocks. */
import {
  addToDetails,
  addSums,
  canonicalize,
  DETAILED_SPAN,
  FRAME_SPANS,
  type ChainEvent,
  type Frame,
  type FrameBlock,
  type FrameDetails,
  type FrameOrder,
  type OrderOf,
  sumsOf,
} from '@netd/protocol';
import type { BlockHistory } from './history-writes.ts';
import { rangeOfBlock, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export type FrameKey = [span: number, index: number];

/** Collects the frames that one transaction changes. */
export class FrameWrites {
  private readonly tables: Tables;
  private readonly rows = new Map<string, { key: FrameKey; frame: Frame }>();

  private readonly orderOf: OrderOf;

  /** @param changed returns a record that this transaction also writes; undefined for others */
  constructor(tables: Tables, changed: (key: string) => unknown = () => undefined) {
    this.tables = tables;
    this.orderOf = (orderId) => {
      const key = `order/${orderId}`;
      const text = changed(key) ?? tables.state.get(key);
      return (typeof text === 'string' ? JSON.parse(text) : text) as FrameOrder | undefined;
    };
  }

  /** Adds a block that follows all stored ones. */
  add(block: FrameBlock): void {
    if (block.transitions === 0) return;
    this.addSums(block);
    const [key, frame] = this.frameAt(DETAILED_SPAN, block.height);
    if (!frame) return;
    this.set(key, { ...frame, ...addToDetails(detailsIn(frame), block) });
  }

  /**
   * Adds blocks that precede all stored ones. Details depend on the order of blocks, so they are computed once
   * a frame has all of them.
   * @param from the first height that is held afterwards
   * @param head the newest height
   */
  addEarlier(
    blocks: readonly BlockHistory[],
    { from, head }: { from: number; head: number },
  ): void {
    const given = new Map(blocks.map((block) => [block.header.height, frameBlockOf(block)]));
    for (const block of given.values()) if (block.transitions > 0) this.addSums(block);
    const indexes = new Set([...given.keys()].map((height) => Math.floor(height / DETAILED_SPAN)));
    for (const index of indexes) {
      const start = index * DETAILED_SPAN;
      if (start < from) continue;
      let details: FrameDetails | undefined;
      for (let height = start; height < start + DETAILED_SPAN && height <= head; height++) {
        const block = given.get(height) ?? storedFrameBlock(this.tables, height);
        if (block && block.transitions > 0) details = addToDetails(details, block);
      }
      const [key, frame] = this.frameAt(DETAILED_SPAN, start);
      if (frame && details) this.set(key, { ...frame, ...details });
    }
  }

  putInto(writes: Writes): void {
    const { frames } = this.tables;
    for (const { key, frame } of this.rows.values()) writes.put(frames, key, canonicalize(frame));
    this.rows.clear();
  }

  private addSums(block: FrameBlock): void {
    const sums = sumsOf(block, this.orderOf);
    for (const span of FRAME_SPANS) {
      const [key, frame] = this.frameAt(span, block.height);
      this.set(key, { ...frame, ...addSums(frame, sums) });
    }
  }

  private frameAt(span: number, height: number): [FrameKey, Frame | undefined] {
    const key: FrameKey = [span, Math.floor(height / span)];
    const known = this.rows.get(String(key));
    if (known) return [key, known.frame];
    const text = this.tables.frames.get(key);
    return [key, text === undefined ? undefined : (JSON.parse(text) as Frame)];
  }

  private set(key: FrameKey, frame: Frame): void {
    this.rows.set(String(key), { key, frame });
  }
}

function detailsIn({ requesters, workers, jurors, jobs }: Frame): FrameDetails | undefined {
  return requesters && workers && jurors && jobs
    ? { requesters, workers, jurors, jobs }
    : undefined;
}

export const frameBlockOf = ({ header, transitions, events }: BlockHistory): FrameBlock => ({
  height: header.height,
  time: header.timestamp,
  transitions: transitions.length,
  events,
});

/** Returns undefined if the block is not stored. */
export function storedFrameBlock(tables: Tables, height: number): FrameBlock | undefined {
  const text = tables.blocks.get(height);
  if (text === undefined) return undefined;
  const { header } = JSON.parse(text) as { header: { timestamp: string } };
  const range = rangeOfBlock(height);
  const events = [...tables.events.getRange(range)].map(
    ({ value }) => JSON.parse(value) as ChainEvent,
  );
  const transitions = tables.transitions.getKeysCount(range);
  return { height, time: header.timestamp, transitions, events };
}
