/** Links between heights, and what a page says of a height that it cannot show. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../ui/parts.tsx';
import { count } from '../words/amount.ts';

/** A link to this page at another height; nothing without one. */
export function AtLink({ at, children }: { at: number | undefined; children: ReactNode }) {
  if (at === undefined) return null;
  return (
    <Link
      to="."
      search={(search) => ({ ...search, at })}
      className="button small"
      title={`Block ${count(at)}`}
      resetScroll={false}
    >
      {children}
    </Link>
  );
}

/**
 * @param what a sentence without its end, such as “This order was funded”
 * @param never shown instead if there is no height
 */
export function NotYet({
  what,
  height,
  never = '',
}: {
  what: string;
  height: number | undefined;
  never?: string;
}) {
  return (
    <div className="card">
      <Empty title={height === undefined ? never : `${what} at block ${count(height)}`}>
        <AtLink at={height}>Show that block</AtLink>
      </Empty>
    </div>
  );
}

/** Stands for a fact that no event proves. */
export const OnlyNewest = () => <span className="soft">Only the newest height</span>;
