/** Doubts about the newest block, although its proof holds: a node can show an old chain, or a height that no block has. */
import { count } from './amount.ts';
import { duration } from './time.ts';

/** Blocks that may be made between two checks, or while the tab sleeps. */
const MOST_AHEAD = 200;
/** Blocks that a node may lack which answers at the same address as the one before. */
const MOST_BEHIND = 10;
/** Milliseconds. Even an idle chain makes blocks more often. */
const OLD = 900_000;

/**
 * Returns a sentence; null if the proven block can be the newest.
 * @param age milliseconds since a proven block was made; null if it says nothing
 * @param before the height on display when the check of this block began
 * @param shown the height on display
 */
export function headDoubt(
  { height, age, shown: before }: { height: number; age: number | null; shown: number },
  shown: number,
): string | null {
  if (shown - height > MOST_AHEAD || before - height > MOST_BEHIND)
    return `The node shows block ${count(shown)}, but it has proven none after block ${count(height)}.`;
  if (age !== null && age > OLD)
    return `The newest block that the node has proven is ${duration(age)} old. The node is behind or hides later blocks, or the clock of this device is wrong.`;
  return null;
}
