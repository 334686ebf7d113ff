import { FRAME_SPANS } from '@netd/protocol/frames';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { reading } from '../../chain/client.ts';
import { useFrames, type ShownFrame } from '../../chain/frames.ts';
import type { ChainEvent } from '../../words/stream.ts';
import { count, counted } from '../../words/amount.ts';
import { barsAt, MOST_BARS, windowsAround, type PacedBlock } from '../../words/chart.ts';

const NO_WINDOW = { span: 1, from: 0, to: 1, isWhole: true } as const;
/** Milliseconds that a bar is shown for while the strip plays. */
const PLAY_STEP = 350;

/**
 * A strip from genesis to the newest block, or closer, that can be dragged and played.
 * @param chain frames of the whole chain
 * @param blocks the newest ones
 * @param at the height on display; null for the newest
 * @param show shows a height at once; null goes back to the newest
 */
export function TimeStrip({
  chain,
  blocks,
  events,
  height,
  at,
  show,
}: {
  chain: readonly ShownFrame[];
  blocks: readonly PacedBlock[];
  events: readonly ChainEvent[];
  height: number;
  at: number | null;
  show: (at: number | null) => void;
}) {
  const [chosen, choose] = useState(0);
  const shown = at ?? height;
  const windows = windowsAround(shown, height);
  const level = Math.min(chosen, windows.length - 1);
  const { span, from, to, isWhole } = windows[level] ?? NO_WINDOW;
  const isNewest = to >= height;
  const { frames } = useFrames(span === 1 ? FRAME_SPANS[0] : span, {
    before: isNewest ? null : to + 1,
    head: height,
    isOn: span > 1 && !isWhole,
  });
  const isOldBlocks = span === 1 && !isNewest;
  const past = useQuery({
    ...reading(
      '/v1/blocks',
      { heights: Array.from({ length: MOST_BARS }, (_, index) => from + index).join(',') },
      'fixed',
    ),
    enabled: isOldBlocks,
  });
  const held = isOldBlocks ? (past.data?.blocks ?? []) : blocks;
  const bars = useMemo(
    () =>
      barsAt({ span, from, to }, isWhole ? chain : frames, {
        blocks: isOldBlocks || isNewest ? held : [],
        events: span === 1 ? events : [],
      }),
    [span, from, to, isWhole, isOldBlocks, isNewest, chain, frames, held, events],
  );
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = bars.find((bar) => bar.height > shown);
      if (next && next.height + span <= height) return show(next.height + span - 1);
      setPlaying(false);
      show(null);
    }, PLAY_STEP);
    return () => clearTimeout(timer);
  }, [isPlaying, shown, height, span, bars, show]);
  if (height < 2) return <p className="card time-strip soft">Blocks appear here as agents act.</p>;
  const width = (to - from + 1) / span;
  return (
    <section className="card time-strip" aria-label="Time machine">
      <button
        type="button"
        className="button"
        onClick={() => {
          setPlaying(!isPlaying);
          if (!isPlaying && at === null) show(from);
        }}
      >
        {isPlaying ? 'Pause' : '▶ Replay'}
      </button>
      <div>
        <div className="strip-bars">
          <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" aria-hidden="true">
            {bars.map((bar) => (
              <rect
                key={bar.height}
                x={(bar.height - from) / span + 0.12}
                y={1 - bar.level}
                width="0.76"
                height={bar.level}
                className={bar.height <= shown ? 'seen' : undefined}
              />
            ))}
          </svg>
          <input
            type="range"
            min={from}
            max={to}
            value={Math.min(to, shown)}
            aria-label="Block to show"
            aria-valuetext={at === null ? `Live, block ${count(height)}` : `Block ${count(shown)}`}
            onInput={({ currentTarget }) => {
              const next = Number(currentTarget.value);
              setPlaying(false);
              show(next >= height ? null : next);
            }}
          />
        </div>
        <div className="strip-ends soft">
          <span>{from === 0 ? 'Genesis' : `#${count(from)}`}</span>
          {windows.length > 1 && (
            <span className="tabs" role="group" aria-label="Blocks in the strip">
              {windows.map((one, index) => (
                <button
                  key={one.span}
                  type="button"
                  aria-pressed={index === level}
                  onClick={() => choose(index)}
                >
                  {one.isWhole ? 'Whole chain' : `${count(one.span * MOST_BARS)} blocks`}
                </button>
              ))}
            </span>
          )}
          <span>{isNewest ? 'Now' : `#${count(to)}`}</span>
        </div>
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
