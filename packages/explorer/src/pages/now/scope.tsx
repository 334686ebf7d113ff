/** Says which blocks the picture shows. */
import type { ChainEvent } from '../../words/stream.ts';
import { count, counted } from '../../words/amount.ts';

export function Scope({ events }: { events: readonly ChainEvent[] }) {
  const oldest = events.at(-1)?.height;
  return (
    <p className="front-scope soft">
      <Unverified />{' '}
      {oldest !== undefined && (
        <>
          The last {counted(events.length, 'event')}, from block {count(oldest)} on
        </>
      )}
    </p>
  );
}

export const Unverified = () => (
  <span
    className="chip"
    title="The picture shows what this node says. Open a job to check its proof."
  >
    Unverified
  </span>
);
