import { FRAME_SPANS } from '@netd/protocol/frames';

export interface PacedBlock {
  height: number;
  timestamp: string;
  transitionCount: number;
}

export function fill(transitionCount: number): number {
  return Math.min(1, Math.log10(1 + transitionCount) / 3);
}

export interface Bar {
  /** First block. */
  height: number;
  /** Above 0 and at most 1, on a logarithmic scale. */
  level: number;
}

/**
 * Returns a bar for each span that changed something, oldest first. A bar shows the number of transitions, or of
 * known events if they are more, because the page knows only the events of some blocks.
 * @param frames sums of spans; blocks and events are newer, or the same
 */
export function barsAt(
  { span, from, to }: Pick<StripWindow, 'span' | 'from' | 'to'>,
  frames: readonly { from: number; transitions: number }[],
  known: { blocks: readonly PacedBlock[]; events: readonly { height: number }[] },
): Bar[] {
  const start = (height: number): number => Math.floor(height / span) * span;
  const sizes = new Map<number, number>();
  const sum = (list: readonly (readonly [height: number, size: number])[]): void => {
    const found = new Map<number, number>();
    for (const [height, size] of list) {
      found.set(start(height), (found.get(start(height)) ?? 0) + size);
    }
    for (const [at, size] of found) sizes.set(at, Math.max(size, sizes.get(at) ?? 0));
  };
  sum(known.events.map(({ height }) => [height, 1]));
  sum(known.blocks.map(({ height, transitionCount }) => [height, transitionCount]));
  sum(frames.map((frame) => [frame.from, frame.transitions]));
  const inside = [...sizes].filter(([at, size]) => size > 0 && at >= from && at <= to);
  const most = Math.log1p(Math.max(...inside.map(([, size]) => size), 1));
  return inside
    .toSorted(([a], [b]) => a - b)
    .map(([height, size]) => ({ height, level: Math.log1p(size) / most }));
}

/** Number of bars of a strip, at most. */
export const MOST_BARS = 100;

export interface StripWindow {
  /** Blocks that a bar stands for. */
  span: StripSpan;
  /** First block of a span. */
  from: number;
  to: number;
  isWhole: boolean;
}

const SPANS = [1, ...FRAME_SPANS] as const;
export type StripSpan = (typeof SPANS)[number];

/**
 * Returns the blocks that a bar stands for if a strip shows all of them.
 * @param spans to choose from, ascending
 */
export const spanOf = <Span extends StripSpan>(blocks: number, spans: readonly Span[]): Span =>
  spans.find((span) => blocks <= span * MOST_BARS) ?? (spans.at(-1) as Span);

/**
 * Returns the windows around a block that a strip can show: the whole chain first, then ever fewer blocks.
 * @param head the newest block
 */
export function windowsAround(shown: number, head: number): StripWindow[] {
  const whole = spanOf(head + 1, SPANS);
  const closer = SPANS.filter((span) => span < whole).toReversed();
  return [
    { span: whole, from: 0, to: Math.max(1, head), isWhole: true },
    ...closer.map((span) => {
      const blocks = span * MOST_BARS;
      const newest = Math.max(0, (Math.floor(head / span) + 1) * span - blocks);
      const from = shown >= newest ? newest : Math.floor(shown / blocks) * blocks;
      return { span, from, to: Math.min(head, from + blocks - 1), isWhole: false };
    }),
  ];
}

/** Seconds. */
const DAY = 86_400;

/** Returns a function that writes the local times of an axis so that neighbors differ: seconds, minutes or days. */
export function clockOf(seconds: readonly number[]): (at: number) => string {
  const [from = 0, next = from] = seconds;
  const isLong = next - from >= DAY || (seconds.at(-1) ?? 0) - from > 2 * DAY;
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  return (at) =>
    new Date(at * 1_000).toLocaleString(
      'en-GB',
      isLong
        ? { day: 'numeric', month: 'short' }
        : next - from < 60
          ? { ...clock, second: '2-digit' }
          : clock,
    );
}
