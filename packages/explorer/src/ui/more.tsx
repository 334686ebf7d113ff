export interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function More({ list, name }: { list: PagedList; name: string }) {
  if (!list.hasNextPage) return null;
  return (
    <p className="more">
      <button
        type="button"
        className="button"
        disabled={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? 'Reading…' : name}
      </button>
    </p>
  );
}
