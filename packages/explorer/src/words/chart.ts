export interface PacedBlock {
  height: number;
  timestamp: string;
  transitionCount: number;
}

export function fill(transitionCount: number): number {
  return Math.min(1, Math.log10(1 + transitionCount) / 3);
}

export interface Bar {
  height: number;
  /** Above 0 and at most 1, on a logarithmic scale. */
  level: number;
}

/**
 * Returns a bar for each block that changed something, oldest first. A bar shows the number of the block's
 * transitions or events, whichever is larger, because the page knows only the events of earlier blocks.
 */
export function barsAt(
  blocks: readonly PacedBlock[],
  events: readonly { height: number }[],
): Bar[] {
  const sizes = new Map<number, number>();
  for (const { height } of events) sizes.set(height, (sizes.get(height) ?? 0) + 1);
  for (const { height, transitionCount } of blocks) {
    sizes.set(height, Math.max(transitionCount, sizes.get(height) ?? 0));
  }
  const most = Math.log1p(Math.max(...sizes.values(), 1));
  return [...sizes]
    .filter(([, size]) => size > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([height, size]) => ({ height, level: Math.log1p(size) / most }));
}
