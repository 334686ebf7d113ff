/** The time of the chain, because the clock of a device may be hours off. */
import { useEffect, useState } from 'react';

/** In milliseconds. Smaller differences may come from slow answers and rare blocks. */
const TOLERANCE = 60_000;

let offset = 0;
let seen: { height: number; at: number } | null = null;
const listeners = new Set<() => void>();

/** Returns milliseconds since 1970. If the chain shows that the clock of the device is wrong, they are corrected. */
export const now = (): number => chainTime(Date.now());

/** @param at milliseconds by the clock of the device */
export const chainTime = (at: number): number => at + offset;

/** Returns true while blocks show another time than the clock of the device. Only the node says when they were made. */
export const isCorrected = (): boolean => offset !== 0;

/**
 * Compares the clock with the newest block. No block is from the future. A block that was made since the last
 * read is not older than that read.
 */
export function sawHead({ height, timestamp }: { height: number; timestamp: string }): void {
  const at = Date.now();
  const time = Date.parse(timestamp);
  const before = offset;
  if (time - at > TOLERANCE) offset = time - at;
  else if (seen !== null && height !== seen.height)
    offset = height > seen.height && seen.at - time > TOLERANCE ? time - at : 0;
  seen = { height, at };
  // The next blocks repeat the difference, and need no drawing.
  if (Math.abs(offset - before) > TOLERANCE) for (const draw of listeners) draw();
}

/** @param pace returns the milliseconds until the next drawing */
export function useNow(pace: (now: number) => number): number {
  const [drawnAt, setDrawnAt] = useState(now);
  const every = pace(drawnAt);
  useEffect(() => {
    const draw = (): void => setDrawnAt(now());
    const timer = setInterval(draw, every);
    listeners.add(draw);
    return () => {
      clearInterval(timer);
      listeners.delete(draw);
    };
  }, [every]);
  return Math.max(drawnAt, now() - every);
}
