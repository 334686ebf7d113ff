/** Counts new entries and shows them on request, because lists must not move while someone reads them. */
import { useLive } from '../chain/live.ts';
import { count } from '../words/amount.ts';

export function NewPill({
  types,
  since,
  refresh,
}: {
  types: readonly string[];
  since: number | undefined;
  refresh: () => void;
}) {
  const { events } = useLive();
  if (since === undefined) return null;
  const fresh = events.filter(({ height, type }) => height > since && types.includes(type)).length;
  if (fresh === 0) return null;
  return (
    <button type="button" className="pill-new" onClick={refresh}>
      <span>{count(fresh)} new</span>
    </button>
  );
}
