/**
 * When blocks were made. Records and events name heights; the times of all heights on a page that no other document told are asked for
 * together. They never change, and are kept.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { client } from './client.ts';
import { useIsMade } from './live.ts';

/** Headers that the node gives in one answer. */
const AT_ONCE = 100;
/** Milliseconds in which the rows of a list come together. */
const GATHERED = 50;

/** Milliseconds after which the node is asked again for what it did not tell. */
const ASKED_ANEW = 10_000;

const times = new Map<number, number>();
/** How many places of the page want the time of a height that is not known. */
const wanted = new Map<number, number>();
/** Those that the node did not tell: its history may begin behind them. */
const untold = new Set<number>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;

/** @returns milliseconds since 1970; null until it is known, for a block that is still to come, and where the node does not tell */
export function useTimeOf(height: number, isShown = true): number | null {
  const time = useSyncExternalStore(subscribe, () => times.get(height) ?? null);
  const isMade = useIsMade(height);
  const isAsked = isShown && isMade && time === null;
  useEffect(() => {
    if (!isAsked) return undefined;
    wanted.set(height, (wanted.get(height) ?? 0) + 1);
    timer ??= setTimeout(() => void ask(), GATHERED);
    return () => {
      const others = (wanted.get(height) ?? 1) - 1;
      if (others > 0) wanted.set(height, others);
      else wanted.delete(height);
    };
  }, [isAsked, height]);
  return time;
}

/** What a document told anyway. */
export function sawTimes(blocks: readonly { height: number; timestamp: string }[]): void {
  for (const { height, timestamp } of blocks) times.set(height, Date.parse(timestamp));
  for (const listener of listeners) listener();
}

async function ask(): Promise<void> {
  timer = undefined;
  if (asking) return;
  asking = true;
  try {
    for (;;) {
      // What was scrolled out of sight meanwhile is not asked for.
      const heights = [...wanted.keys()]
        .filter((height) => !times.has(height) && !untold.has(height))
        .slice(0, AT_ONCE);
      if (heights.length === 0) return;
      for (const height of heights) untold.add(height);
      const { blocks } = await client.read('/v1/blocks', { heights: heights.join(',') });
      for (const { height } of blocks) untold.delete(height);
      sawTimes(blocks);
    }
  } catch {
    // The heights stand there all the same.
  } finally {
    asking = false;
    // What comes on the page later may ask anew: the node may have been gone, or a little behind.
    if (untold.size > 0) setTimeout(() => untold.clear(), ASKED_ANEW);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
