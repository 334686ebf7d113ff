import { useQuery } from '@tanstack/react-query';
import { allowStores, findStores } from '../chain/stores.ts';

export function useStores() {
  return useQuery({ queryKey: ['stores'], queryFn: findStores, staleTime: 30_000 });
}

export function StoresNotice({ locks }: { locks: boolean }) {
  const stores = useStores();
  const { usable = [], closed = [] } = stores.data ?? {};
  if (!stores.data || usable.length > 0) return null;
  if (closed.length === 0) {
    return (
      <p className="soft">
        No store is announced on this network, so messages and briefs cannot be stored yet.
      </p>
    );
  }
  const names = closed.map(({ origin }) => new URL(origin).host).join(', ');
  return (
    <div className="banner">
      <p>
        <strong>Messages and briefs are stored outside the chain, at {names}.</strong> This page
        contacts only its own node unless you allow more.
        {locks && ' Allowing reloads the page, which locks the wallet.'}
      </p>
      <button type="button" className="button" onClick={() => void allowStores(closed)}>
        Allow {closed.length === 1 ? 'it' : 'them'}
      </button>
    </div>
  );
}
