/** Block times. Unknown heights of a page are requested together and cached. */
import { useEffect, useSyncExternalStore } from 'react';
import { client } from './client.ts';
import { useIsMade } from './live.ts';

const AT_ONCE = 100;
const GATHERED = 50;

const ASKED_ANEW = 10_000;

const times = new Map<number, number>();
/** Number of places that show each unknown height. */
const wanted = new Map<number, number>();
/** Heights whose times the node did not return. */
const untold = new Set<number>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;

/** @returns milliseconds since 1970; null for an unknown or future block */
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

/** Reads the unknown times of these heights, a hundred in a request. */
export async function timesOf(heights: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const unknown = heights.filter((height) => !times.has(height));
  for (let at = 0; at < unknown.length; at += AT_ONCE) {
    const some = unknown.slice(at, at + AT_ONCE).join(',');
    sawTimes((await client.read('/v1/blocks', { heights: some })).blocks);
  }
  return times;
}

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
    // Without times, the page still shows heights.
  } finally {
    asking = false;
    // The node may have been down, or a little behind. Ask again later.
    if (untold.size > 0) setTimeout(() => untold.clear(), ASKED_ANEW);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
