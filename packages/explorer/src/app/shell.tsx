import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { stateOf } from '../data/anchor-rules.ts';
import { metGenesis, trustAnew, useAnchor } from '../data/anchor.ts';
import { reading } from '../data/client.ts';
import { sawNetwork, useLiveHeight } from '../data/live.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ShortHash, Time } from '../ui/names.tsx';
import { counted } from '../words/amount.ts';
import { AnchorDialog } from './anchor-dialog.tsx';
import { SearchDialog } from './search-dialog.tsx';
import { setTheme, THEMES, useTheme } from '../data/theme.ts';

const PLACES = [
  ['/', 'now', 'Now'],
  ['/work', 'work', 'Work'],
  ['/agents', 'agents', 'Agents'],
  ['/blocks', 'blocks', 'Blocks'],
] as const satisfies readonly (readonly [string, IconName, string])[];

const MORE_PLACES = [
  ['/network', 'network', 'Network'],
  ['/economy', 'economy', 'Economy'],
  ['/tokens', 'tokens', 'Tokens'],
  ['/governance', 'governance', 'Governance'],
  ['/verify', 'verify', 'Verify'],
  ['/wallet', 'wallet', 'Wallet'],
  ['/developers', 'developers', 'Developers'],
] as const satisfies readonly (readonly [string, IconName, string])[];

export function Shell() {
  const network = useNetwork();
  const [searching, setSearching] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcut(() => setSearching(true));
  useFocusOnArrival(main);
  const chainId = network.data?.chainId;
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The page's <base> would turn the link into one to the front page.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <div className="shell">
        <aside className="sidebar">
          <Brand chainId={chainId} />
          <button type="button" className="search-open" onClick={() => setSearching(true)}>
            <Icon name="search" />
            Search
            <kbd>Ctrl K</kbd>
          </button>
          <nav className="nav" aria-label="Pages">
            <Places places={PLACES} />
            <h2>The network</h2>
            <Places places={MORE_PLACES} />
          </nav>
          <footer>
            <Pulse network={network} />
            <ThemeSwitch />
          </footer>
        </aside>
        <header className="topbar">
          <Brand chainId={chainId} />
          <button
            type="button"
            className="icon-button"
            aria-label="Search"
            onClick={() => setSearching(true)}
          >
            <Icon name="search" />
          </button>
        </header>
        <div className="content">
          <Banners network={network} />
          <main id="main" ref={main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <nav className="tabbar" aria-label="Pages">
          <Places places={PLACES} />
          <button type="button" onClick={() => setSearching(true)}>
            <Icon name="more" />
            More
          </button>
        </nav>
      </div>
      <AnchorDialog />
      {searching && <SearchDialog places={MORE_PLACES} close={() => setSearching(false)} />}
    </>
  );
}

/** Polls the node, because an idle chain sends no events. */
function useNetwork() {
  const queries = useQueryClient();
  const network = useQuery({ ...reading('/v1/network'), refetchInterval: 5_000, retry: 1 });
  const { data } = network;
  useEffect(() => {
    if (!data) return;
    metGenesis(data.genesisHash);
    if (sawNetwork(data)) void queries.resetQueries();
  }, [data, queries]);
  return network;
}

type Network = ReturnType<typeof useNetwork>;

function Brand({ chainId }: { chainId: string | undefined }) {
  return (
    <Link to="/" className="brand">
      <svg
        viewBox="0 0 32 32"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="4"
        aria-hidden="true"
      >
        <rect x="3" y="10" width="16" height="12" rx="6" />
        <rect x="13" y="10" width="16" height="12" rx="6" />
      </svg>
      <span>
        netd
        <small>{chainId ?? 'a devnet of agents'}</small>
      </span>
    </Link>
  );
}

function Places({ places }: { places: readonly (readonly [string, IconName, string])[] }) {
  return (
    <>
      {places.map(([to, icon, name]) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
          <Icon name={icon} />
          {name}
        </Link>
      ))}
    </>
  );
}

function Pulse({ network }: { network: Network }) {
  const height = useLiveHeight();
  const state = network.isError ? 'away' : 'here';
  return (
    <div className="pulse" data-state={state} role="status">
      <span className="dot" />
      <span>
        {state === 'away' ? (
          'The node is away'
        ) : (
          <>
            Height <strong translate="no">{height.toLocaleString('en')}</strong>
          </>
        )}
      </span>
      <span className="sub">
        {network.data && (
          <>
            block <Time at={network.data.timestamp} />
          </>
        )}
      </span>
    </div>
  );
}

function Banners({ network }: { network: Network }) {
  const anchor = useAnchor();
  const told = network.data?.genesisHash;
  const isOther = anchor !== null && told !== undefined && stateOf(anchor, told) === 'other';
  return (
    <>
      {network.isError && (
        <div className="banner trouble" role="alert">
          <p>
            <strong>The node does not answer.</strong> What you see was true when it last did. The
            page goes on by itself when it is back.
          </p>
        </div>
      )}
      {network.data && !network.isError && <Copy network={network.data} />}
      {isOther && (
        <div className="banner" role="alert">
          <p>
            <strong>This is another chain than before.</strong> Your browser{' '}
            {anchor.source === 'pinned' ? 'has pinned' : 'first met'} the genesis{' '}
            <code>
              <ShortHash hash={anchor.genesisHash} />
            </code>{' '}
            here, the node now names{' '}
            <code>
              <ShortHash hash={told} />
            </code>
            . Nothing of it can be proven to you, unless you take the new one: a devnet that was
            started anew is a new chain.
          </p>
          <button type="button" className="button" onClick={() => trustAnew(told)}>
            Take the new chain
          </button>
        </div>
      )}
    </>
  );
}

/**
 * Milliseconds without a block, added to the block time of an idle chain, before the page checks for a lag.
 */
const QUIET = 60_000;

function Copy({ network }: { network: NonNullable<Network['data']> }) {
  const isQuiet = Date.now() - Date.parse(network.timestamp) > QUIET + 3 * network.idleBlockTimeMs;
  const health = useQuery({ ...reading('/health'), enabled: isQuiet, refetchInterval: 5_000 });
  const behind = health.data?.following?.behind;
  if (!isQuiet || behind === undefined || behind === 0) return null;
  return (
    <div className="banner" role="alert">
      <p>
        <strong>
          {behind === null
            ? 'This follower hears from none of the nodes that it follows.'
            : `This follower is ${counted(behind, 'block')} behind the chain.`}
        </strong>{' '}
        The newest block that it has was made <Time at={network.timestamp} />: what you see was true
        then.
      </p>
    </div>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <div className="theme" role="group" aria-label="Colours">
      {THEMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={theme === name}
          onClick={() => setTheme(name)}
        >
          {name === 'auto' ? 'Auto' : name === 'light' ? 'Light' : 'Dark'}
        </button>
      ))}
    </div>
  );
}

/** Opens the search with Ctrl-K or ⌘K, and with a slash outside text fields. */
function useShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      const types = target?.matches('input, textarea, select, [contenteditable]') ?? false;
      const asked =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !types);
      if (!asked) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open]);
}

function useFocusOnArrival(main: { current: HTMLElement | null }): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}
