/** Doubts about the newest block, although its proof holds: a node can show an old chain, or a height that no block has. */
import { count } from './amount.ts';
import { duration } from './time.ts';

/** Blocks that may be made between two checks, or while the tab sleeps. */
const MOST_AHEAD = 200;
/** Milliseconds. Even an idle chain makes blocks more often. */
const OLD = 900_000;

/**
 * Returns a sentence; null if the proven block can be the newest.
 * @param shown the height on display
 * @param made milliseconds since 1970 of a proven block; null if its age says nothing
 */
export function headDoubt(
  { height, made }: { height: number; made: number | null },
  { shown, now }: { shown: number; now: number },
): string | null {
  if (shown - height > MOST_AHEAD)
    return `The node shows block ${count(shown)}, but it has proven none after block ${count(height)}.`;
  if (made !== null && now - made > OLD)
    return `The newest block that the node has proven is ${duration(now - made)} old. The node is behind or hides later blocks, or the clock of this device is wrong.`;
  return null;
}
