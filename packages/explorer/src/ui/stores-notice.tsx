import { useQuery } from '@tanstack/react-query';
import { allowStores, findStores } from '../data/stores.ts';

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
        No store is announced on this network: messages and the texts of orders have nowhere to lie
        until one is.
      </p>
    );
  }
  const names = closed.map(({ origin }) => new URL(origin).host).join(', ');
  return (
    <div className="banner">
      <p>
        <strong>Messages and the texts of orders lie in stores beside the chain.</strong> This page
        asks no other machine than its node, unless you allow it: {names}.
        {locks && ' The page is then loaded anew, which locks the wallet.'}
      </p>
      <button type="button" className="button" onClick={() => void allowStores(closed)}>
        Allow {closed.length === 1 ? 'it' : 'them'}
      </button>
    </div>
  );
}
