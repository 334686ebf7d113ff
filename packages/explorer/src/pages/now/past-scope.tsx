/** Says which blocks the past picture shows, and if this page has recomputed them. */
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAnchor } from '../../chain/anchor.ts';
import type { Past } from '../../chain/frames.ts';
import { count, counted } from '../../words/amount.ts';

/** The page recomputes at most this many blocks. */
const MOST_CHECKED = 1_100;

type Check =
  | { state: 'running'; done: number }
  | { state: 'right' }
  | { state: 'wrong' | 'failed'; reason: string };

/** Give it a key that changes with `past`. */
export function PastScope({
  past,
  at,
  isSettled,
}: {
  past: Past;
  at: number;
  /** False while someone drags. */
  isSettled: boolean;
}) {
  const { from, to } = past;
  const blocks = to - from + 1;
  const [check, run] = useCheck(past);
  const isOffered = isSettled && check === null && blocks > 0 && blocks <= MOST_CHECKED;
  return (
    <p className="front-scope soft" aria-live="polite">
      {check?.state === 'right' ? (
        <span className="chip" data-tone="money" title="From blocks that this page has checked.">
          ✓ Recomputed here
        </span>
      ) : (
        <span className="chip">Picture not checked</span>
      )}{' '}
      Blocks {count(from)} to {count(to)}.{' '}
      {isOffered && (
        <button type="button" className="button small" onClick={run}>
          Recompute from {counted(blocks, 'block')}
        </button>
      )}
      {check?.state === 'running' &&
        `Checking: ${count(check.done)} of ${counted(blocks, 'block')}. `}
      {check?.state === 'wrong' && (
        <strong role="alert">This node contradicts its blocks. {check.reason} </strong>
      )}
      {check?.state === 'failed' && `The blocks could not be checked: ${check.reason} `}{' '}
      <Link to="/blocks/$height" params={{ height: String(at) }} className="link">
        Open block {count(at)}
      </Link>
    </p>
  );
}

function useCheck(past: Past): [Check | null, () => void] {
  const anchor = useAnchor();
  const [check, setCheck] = useState<Check | null>(null);
  const [stop] = useState(() => new AbortController());
  useEffect(() => () => stop.abort(), [stop]);
  const run = async (): Promise<void> => {
    if (anchor === null) return;
    let done = 0;
    const saw = (more: number): void => setCheck({ state: 'running', done: (done += more) });
    setCheck({ state: 'running', done });
    try {
      const { checkPast } = await import('../../chain/frame-check.ts');
      const reason = await checkPast(anchor, past, { saw, signal: stop.signal });
      if (!stop.signal.aborted)
        setCheck(reason === null ? { state: 'right' } : { state: 'wrong', reason });
    } catch (error) {
      if (stop.signal.aborted) return;
      const { name, message } = error as Error;
      setCheck({ state: name === 'VerificationError' ? 'wrong' : 'failed', reason: message });
    }
  };
  return [check, () => void run()];
}
