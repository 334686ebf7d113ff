import { CatchBoundary, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rootUrl } from '../chain/root-url.ts';
import { Icon } from '../ui/icons.tsx';

// Loaded later, because the first page has a size limit and the first key press needs only the field.
const SearchHits = lazyRouteComponent(() => import('./search-hits.tsx'), 'SearchHits');

export interface Found {
  /** Paths of the hits, in the order shown. */
  paths: readonly string[];
  /** True once every request for this text is answered. */
  isComplete: boolean;
}

const NONE: Found = { paths: [], isComplete: false };

export function SearchDialog({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [{ paths, isComplete }, setFound] = useState(NONE);
  const [isEntered, setEntered] = useState(false);
  const navigate = useNavigate();
  // Open before paint, so that no key press is lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const at = Math.min(chosen, Math.max(0, paths.length - 1));

  const go = (path: string): void => {
    close();
    if (path.startsWith('/docs')) location.assign(rootUrl + path);
    else void navigate({ to: path });
  };
  // Enter waits for pending answers, because one of them may bring a better hit.
  useEffect(() => {
    if (!isEntered || !isComplete) return;
    setEntered(false);
    if (paths[0] !== undefined) go(paths[0]);
  }, [isEntered, isComplete]);
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label="Search"
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div className="search-box">
        <Icon name="search" />
        <input
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setChosen(0);
            setEntered(false);
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step !== 0) {
              event.preventDefault();
              setChosen((at + step + paths.length) % Math.max(1, paths.length));
            }
            if (event.key !== 'Enter') return;
            if (paths[at] === undefined) setEntered(true);
            else go(paths[at]);
          }}
          placeholder="Name, height, hash or action"
          role="combobox"
          aria-label="Search"
          aria-expanded={paths.length > 0}
          aria-controls="search-hits"
          aria-activedescendant={paths.length > 0 ? `hit-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>Esc</kbd>
      </div>
      <CatchBoundary getResetKey={() => 'search'} errorComponent={SearchFault}>
        <Suspense fallback={null}>
          <SearchHits typed={typed} chosen={at} choose={setChosen} go={go} report={setFound} />
        </Suspense>
      </CatchBoundary>
    </dialog>
  );
}

const SearchFault = () => (
  <p className="banner trouble" role="alert">
    The search could not be loaded. Reload the page.
  </p>
);
