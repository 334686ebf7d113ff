import { useEffect, useState, type ReactNode } from 'react';
import { useMedia } from '../../ui/media.ts';
import { Copy } from '../../ui/copy.tsx';
import { Card } from '../../ui/parts.tsx';

const SPEEDS = [1, 2, 4] as const;
/** Milliseconds for a step at the lowest speed. */
const STEP = 1_600;

/**
 * Shows steps one after the other. With reduced motion, the player waits for the reader.
 * @param link absolute address of this story
 */
export function Player({
  steps,
  link,
  aside,
  children,
}: {
  steps: number;
  link: string;
  aside: ReactNode;
  children: (shown: number) => ReactNode;
}) {
  const isCalm = useMedia('(prefers-reduced-motion: reduce)');
  const [shown, setShown] = useState(1);
  const [isPlaying, setPlaying] = useState(!isCalm);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(1);
  const isOver = shown >= steps;
  useEffect(() => {
    if (!isPlaying || isOver) return undefined;
    const timer = setTimeout(() => setShown(shown + 1), STEP / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, isOver, shown, speed]);
  return (
    <Card
      title={`Step ${Math.min(shown, steps)} of ${steps}`}
      className="player"
      aside={<Copy text={link} what="link to this story" name="Share" />}
    >
      <div className="inside chips">
        <button
          type="button"
          className="button primary"
          onClick={() => {
            if (isOver) setShown(1);
            setPlaying(isOver || !isPlaying);
          }}
        >
          {isOver ? 'Play again' : isPlaying ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          className="button"
          disabled={isOver}
          onClick={() => {
            setPlaying(false);
            setShown(shown + 1);
          }}
        >
          Next
        </button>
        <div className="theme" role="group" aria-label="Speed">
          {SPEEDS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={speed === one}
              onClick={() => setSpeed(one)}
            >
              {one}×
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="log" aria-label="Steps so far">
        {children(shown)}
      </div>
    </Card>
  );
}
