export interface PacedBlock {
  height: number;
  timestamp: string;
  transitionCount: number;
}

const WINDOW = 60_000;

/**
 * Returns transitions per second in the last minute of block time.
 * @param blocks newest first
 */
export function pace(blocks: readonly PacedBlock[], now: number): number {
  const recent = blocks.filter(({ timestamp }) => now - Date.parse(timestamp) < WINDOW);
  const done = recent.reduce((sum, { transitionCount }) => sum + transitionCount, 0);
  return done / (WINDOW / 1_000);
}

export function fill(transitionCount: number): number {
  return Math.min(1, Math.log10(1 + transitionCount) / 3);
}

export type StripItem =
  | { kind: 'block'; height: number; transitionCount: number; timestamp: string }
  /** Consecutive empty blocks, from `height` down to `oldest`. */
  | { kind: 'empty'; height: number; oldest: number; timestamp: string }
  /** A block of which only the events are known. */
  | { kind: 'past'; height: number; events: number };

/**
 * Merges consecutive empty blocks, so that an idle chain still shows its activity.
 * @param blocks newest first
 * @param events newest first
 */
export function stripOf(
  blocks: readonly PacedBlock[],
  events: readonly { height: number }[],
): StripItem[] {
  const items: StripItem[] = [];
  for (const { height, transitionCount, timestamp } of blocks) {
    const last = items.at(-1);
    if (transitionCount > 0) items.push({ kind: 'block', height, transitionCount, timestamp });
    else if (last?.kind === 'empty') last.oldest = height;
    else items.push({ kind: 'empty', height, oldest: height, timestamp });
  }
  const oldest = blocks.at(-1)?.height ?? Infinity;
  const past = Map.groupBy(
    events.filter(({ height }) => height < oldest),
    ({ height }) => height,
  );
  for (const [height, inIt] of past) items.push({ kind: 'past', height, events: inIt.length });
  return items;
}

/** Minimum width of a bar, in thousandths. */
const LEAST = 6;

/** Returns positions and widths in thousandths. Every non-zero amount is visible. */
export function barsOf(amounts: readonly number[]): { at: number; width: number }[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const wanted = amounts.map((amount) =>
    amount > 0 ? Math.max(LEAST, (1_000 * amount) / sum) : 0,
  );
  const scale =
    1_000 /
    Math.max(
      1_000,
      wanted.reduce((all, width) => all + width, 0),
    );
  let at = 0;
  return wanted.map((width) => {
    const piece = { at, width: width * scale };
    at += piece.width;
    return piece;
  });
}
