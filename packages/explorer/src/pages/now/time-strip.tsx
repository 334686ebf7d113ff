import { useEffect, useMemo, useState } from 'react';
import type { ChainEvent } from '../../words/stream.ts';
import { count, counted } from '../../words/amount.ts';
import { barsAt, type PacedBlock } from '../../words/chart.ts';

/** Milliseconds that a block is shown for while the strip plays. */
const PLAY_STEP = 350;

/**
 * A strip of blocks that can be dragged and played.
 * @param at the height on display; null for the newest
 * @param show shows a height at once; null goes back to the newest
 */
export function TimeStrip({
  blocks,
  events,
  height,
  at,
  show,
}: {
  blocks: readonly PacedBlock[];
  events: readonly ChainEvent[];
  height: number;
  at: number | null;
  show: (at: number | null) => void;
}) {
  const bars = useMemo(() => barsAt(blocks, events), [blocks, events]);
  const [isPlaying, setPlaying] = useState(false);
  const last = bars.length - 1;
  const found = at === null ? last : bars.findLastIndex((bar) => bar.height <= at);
  const index = Math.max(0, found);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = bars[index + 1];
      if (index + 1 < last && next) return show(next.height);
      setPlaying(false);
      show(null);
    }, PLAY_STEP);
    return () => clearTimeout(timer);
  }, [isPlaying, index, last, bars, show]);
  if (bars.length < 2)
    return <p className="card time-strip soft">Blocks appear here as agents act.</p>;
  const shown = at ?? height;
  return (
    <section className="card time-strip" aria-label="Time machine">
      <button
        type="button"
        className="button"
        onClick={() => {
          setPlaying(!isPlaying);
          if (!isPlaying && (at === null || index >= last)) show(bars[0]?.height ?? null);
        }}
      >
        {isPlaying ? 'Pause' : '▶ Replay'}
      </button>
      <div className="strip-bars">
        <svg viewBox={`0 0 ${bars.length} 1`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map((bar, place) => (
            <rect
              key={bar.height}
              x={place + 0.12}
              y={1 - bar.level}
              width="0.76"
              height={bar.level}
              className={place <= index ? 'seen' : undefined}
            />
          ))}
        </svg>
        <input
          type="range"
          min="0"
          max={last}
          value={index}
          aria-label="Block to show"
          aria-valuetext={at === null ? `Live, block ${count(height)}` : `Block ${count(shown)}`}
          onInput={({ currentTarget }) => {
            const chosen = Number(currentTarget.value);
            setPlaying(false);
            show(chosen >= last ? null : (bars[chosen]?.height ?? null));
          }}
        />
      </div>
      <div className="strip-now">
        {at === null ? (
          <>
            Live · <span className="number">#{count(height)}</span>
          </>
        ) : (
          <>
            <span className="number">#{count(shown)}</span>{' '}
            <span className="soft">{counted(Math.max(0, height - shown), 'block')} ago</span>
          </>
        )}
      </div>
    </section>
  );
}
