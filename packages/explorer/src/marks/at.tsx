/** Links between heights, and notices for facts that a page cannot show at a height. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../ui/parts.tsx';
import { count } from '../words/amount.ts';

/** A link to this page at another height; nothing if there is none. */
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
 * @param what the start of a sentence that ends with the block, such as “This order was funded”
 * @param never shown instead if there is no such block
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
