/** Says which blocks the picture shows, and how to check what is not checked yet. */
import { Link } from '@tanstack/react-router';
import type { ChainEvent } from '../../words/stream.ts';
import { count, counted } from '../../words/amount.ts';

/** @param height the newest block. The picture can be recomputed at the one before. */
export function Scope({ events, height }: { events: readonly ChainEvent[]; height: number }) {
  const oldest = events.at(-1)?.height;
  if (oldest === undefined) return <p className="front-scope" />;
  return (
    <p className="front-scope soft">
      The last {counted(events.length, 'event')}, from block {count(oldest)} on. Not checked yet.{' '}
      {oldest < height && (
        <Link to="/" search={{ at: height - 1 }} className="link">
          Check this picture at block {count(height - 1)}
        </Link>
      )}
    </p>
  );
}

/** @param what noun phrase such as "this job" */
export const CheckButton = ({ what, check }: { what: string; check: () => void }) => (
  <button
    type="button"
    className="proof"
    title={`So far, only this node says so. Let your browser check ${what}.`}
    onClick={check}
  >
    Check {what}
  </button>
);
