import type { ReactNode } from 'react';
import { More, type PagedList } from '../ui/more.tsx';
import { NewPill } from './new-pill.tsx';
import { ErrorNote, Skeleton } from '../ui/parts.tsx';

interface EntryQuery extends PagedList {
  isPending: boolean;
  isError: boolean;
  error: Error | null;
  refetch: () => unknown;
}

export function EntryList({
  list,
  since,
  types,
  what,
  empty,
  children,
}: {
  list: EntryQuery;
  since: number | undefined;
  types: readonly string[];
  what: string;
  empty: ReactNode;
  children: readonly ReactNode[];
}) {
  const refresh = (): void => void list.refetch();
  return (
    <>
      <NewPill types={types} since={since} refresh={refresh} />
      <div className="card">
        {list.isPending && <Skeleton lines={5} />}
        {list.isError && since === undefined && (
          <ErrorNote
            error={list.error}
            what={`The ${what} could not be read.`}
            retry={list.refetch}
          />
        )}
        {since !== undefined && children.length === 0 && empty}
        <ul className="entry-list">{children}</ul>
      </div>
      <More list={list} name={`Older ${what}`} />
    </>
  );
}
