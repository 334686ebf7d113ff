import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { stateOf } from '../chain/anchor-rules.ts';
import { balanceAgreement } from '../chain/agreement.ts';
import { metGenesis, trustAnew, useAnchor } from '../chain/anchor.ts';
import { useAddressedHeight } from '../chain/at.ts';
import { reading } from '../chain/client.ts';
import { now, sawHead } from '../chain/clock.ts';
import { sawNetwork, useLiveHeight } from '../chain/live.ts';
import { useHead, useProof } from '../chain/proofs.ts';
import { rootUrl } from '../chain/root-url.ts';
import { setTheme, THEMES, useTheme } from '../chain/theme.ts';
import { Icon } from '../ui/icons.tsx';
import { LineForm } from '../ui/line-form.tsx';
import { Page, Skeleton } from '../ui/parts.tsx';
import { Face, Net, ShortHash, Time } from '../marks/names.tsx';
import { headWords, isProven } from '../marks/proof.tsx';
import { useHolder } from '../wallet/holder.ts';
import { count, counted } from '../words/amount.ts';
import { headDoubt } from '../words/head.ts';
import { addressedHeight, heightFault } from '../words/at.ts';
import { AnchorDialog } from './anchor-dialog.tsx';
import { AREAS, DOCUMENTATION, isBelow, TABS, type Area } from './areas.ts';
import { AtBar, NoSuchHeight } from './at-bar.tsx';
import { SearchDialog } from './search-dialog.tsx';

export function Shell() {
  const network = useNetwork();
  const [searching, setSearching] = useState(false);
  const main = useRef<HTMLElement>(null);
  const openSearch = (): void => setSearching(true);
  useShortcut(openSearch);
  useFocusOnArrival(main);
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
      <header className="topbar">
        <Brand />
        <nav className="nav" aria-label="Areas">
          {AREAS.map((area) => (
            <AreaLink key={area.name} area={area} />
          ))}
        </nav>
        <div className="topbar-end">
          <button
            type="button"
            className="icon-button search-open"
            aria-label="Search"
            title="Search (Ctrl K)"
            onClick={openSearch}
          >
            <Icon name="search" />
          </button>
          <Pulse network={network} />
          <Link to="/run" className="button primary run">
            Run an agent
          </Link>
          <WalletLink />
          <button
            type="button"
            className="icon-button menu-open"
            aria-label="Menu"
            title="All pages and colors"
            popoverTarget="menu"
          >
            <Icon name="more" />
          </button>
        </div>
      </header>
      <div className="content">
        <Banners network={network} />
        <AreaPages />
        <main id="main" ref={main} tabIndex={-1}>
          <AtHeight network={network} />
        </main>
      </div>
      <nav className="tabbar" aria-label="Areas and menu">
        {AREAS.slice(0, TABS).map((area) => (
          <AreaLink key={area.name} area={area} />
        ))}
        <button type="button" popoverTarget="menu">
          <Icon name="more" />
          Menu
        </button>
      </nav>
      <Menu network={network} openSearch={openSearch} />
      <AnchorDialog />
      {searching && <SearchDialog close={() => setSearching(false)} />}
    </>
  );
}

/** The page, if it can show the height in its address. */
function AtHeight({ network: { data, isPending } }: { network: Network }) {
  const at = useAddressedHeight();
  const newest = Math.max(useLiveHeight(), data?.height ?? 0);
  if (at === undefined) return <Outlet />;
  if (isPending && typeof at === 'number') {
    return (
      <Page title={`Block ${count(at)}`}>
        <Skeleton lines={8} />
      </Page>
    );
  }
  const fault = heightFault(at, newest);
  if (fault !== null) return <NoSuchHeight at={at} fault={fault} newest={newest} />;
  return (
    <>
      <Outlet />
      {typeof at === 'number' && <AtBar at={at} newest={newest} />}
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
    sawHead(data);
    if (sawNetwork(data)) void queries.resetQueries();
  }, [data, queries]);
  return network;
}

type Network = ReturnType<typeof useNetwork>;

function Brand() {
  return (
    <Link to="/" className="brand" aria-label="netd, live">
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
      <span>netd </span>
    </Link>
  );
}

function AreaLink({ area: { to, icon, name, prefixes } }: { area: Area }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Link
      to={to}
      activeProps={{}}
      aria-current={prefixes.some((prefix) => isBelow(path, prefix)) ? 'page' : undefined}
    >
      <Icon name={icon} />
      {name}
    </Link>
  );
}

function AreaPages() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const area = AREAS.find(({ prefixes }) => prefixes.some((prefix) => isBelow(path, prefix)));
  if (area === undefined || area.pages.length < 2) return null;
  return (
    <nav className="tabs area-pages" aria-label={`Pages of ${area.name}`}>
      <PageLinks pages={area.pages} />
    </nav>
  );
}

function PageLinks({ pages }: { pages: Area['pages'] }) {
  return (
    <>
      {pages.map(([to, , name]) =>
        to === DOCUMENTATION ? (
          <a key={to} href={rootUrl + to}>
            {name}
          </a>
        ) : (
          <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
            {name}
          </Link>
        ),
      )}
    </>
  );
}

/** Menu of all pages, search, heights and colors. On a phone, each takes two taps. */
function Menu({ network, openSearch }: { network: Network; openSearch: () => void }) {
  const menu = useRef<HTMLDivElement>(null);
  const close = (): void => menu.current?.hidePopover();
  return (
    <div id="menu" ref={menu} popover="auto" className="menu">
      <button
        type="button"
        className="button"
        onClick={() => {
          close();
          openSearch();
        }}
      >
        <Icon name="search" />
        Search
      </button>
      <nav aria-label="All pages" onClick={close}>
        {AREAS.map(({ name, pages }) => (
          <div key={name}>
            {pages.length > 1 && <h2>{name}</h2>}
            <PageLinks pages={pages} />
          </div>
        ))}
      </nav>
      <HeightForm close={close} />
      <p className="soft">
        {network.data && (
          <>
            {network.data.chainId}, block <Time at={network.data.timestamp} />
          </>
        )}
      </p>
      <ThemeSwitch />
    </div>
  );
}

/** Opens the page at another height. */
function HeightForm({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const at = useAddressedHeight();
  return (
    <LineForm
      id="at-height"
      label="Show the page at this height"
      placeholder="Height, such as 120"
      submit="Show"
      value={at === undefined ? '' : String(at)}
      onSubmit={(typed) => {
        close();
        void navigate({
          to: '.',
          search: (search) => ({ ...search, at: addressedHeight(typed) }),
        });
      }}
    />
  );
}

/** Shows the height, and whether this browser has checked the chain up to there. */
function Pulse({ network }: { network: Network }) {
  const live = useLiveHeight();
  const { standing, proven } = useHead();
  const isAway = network.isError;
  // A node could show a lower height than it has proven.
  const height = Math.max(live, proven?.height ?? 0);
  const doubt = proven ? headDoubt(proven, height) : null;
  const { state, icon, says, why } = headWords(standing, doubt);
  return (
    <div className="pulse" data-state={isAway ? 'away' : 'here'}>
      <span className="dot" />
      <span role="status" aria-label="Height">
        {isAway ? (
          'Offline'
        ) : (
          <>
            <span className="pulse-unit">Block </span>
            <strong translate="no">{count(height)}</strong>
          </>
        )}
      </span>
      <Link to="/verify" className="head-proof" data-state={state} title={why} aria-label={says}>
        <Icon name={icon} />
        <span>{says}</span>
      </Link>
    </div>
  );
}

function WalletLink() {
  const holder = useHolder();
  return (
    <Link to="/wallet" className="wallet-link" aria-label={holder ? undefined : 'Wallet'}>
      {holder && <span className="hidden-text">Wallet: </span>}
      {holder ? <Face id={holder.actorId} size={24} /> : <Icon name="wallet" />}
      <span>{holder ? <Balance actorId={holder.actorId} /> : 'Wallet'}</span>
    </Link>
  );
}

function Balance({ actorId }: { actorId: string }) {
  const account = useQuery({
    ...reading('/v1/accounts/{accountId}', { accountId: actorId }),
    retry: false,
  });
  // Proven again only when the node says another balance.
  const proof = useProof('state', `account/${actorId}`, account.data?.balance ?? 0);
  const { standing, contradicts, balance } = balanceAgreement(account.data, proof);
  if (balance === null) return <>Wallet</>;
  const isChecked = isProven(standing, contradicts);
  return (
    <span title={isChecked ? undefined : 'Unverified'} className={isChecked ? undefined : 'soft'}>
      <Net unet={balance} short />
    </span>
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
            <strong>The node does not answer.</strong> You see its last answers. The page updates by
            itself once the node is back.
          </p>
        </div>
      )}
      {network.data && !network.isError && <Copy network={network.data} />}
      {isOther && (
        <div className="banner" role="alert">
          <p>
            <strong>The node now serves a different chain.</strong> Your browser{' '}
            {anchor.source === 'pinned' ? 'pinned' : 'first saw'} the genesis{' '}
            <code>
              <ShortHash hash={anchor.genesisHash} />
            </code>{' '}
            here. The node now names{' '}
            <code>
              <ShortHash hash={told} />
            </code>
            . Your browser proves nothing of the new chain until you accept it. If a devnet was
            restarted with a new genesis, this is expected.
          </p>
          <button type="button" className="button" onClick={() => trustAnew(told)}>
            Accept the new chain
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
  const isQuiet = now() - Date.parse(network.timestamp) > QUIET + 3 * network.idleBlockTimeMs;
  const health = useQuery({ ...reading('/health'), enabled: isQuiet, refetchInterval: 5_000 });
  const behind = health.data?.following?.behind;
  if (!isQuiet || behind === undefined || behind === 0) return null;
  return (
    <div className="banner" role="alert">
      <p>
        <strong>
          {behind === null
            ? 'This follower gets no answer from the nodes that it follows.'
            : `This follower is ${counted(behind, 'block')} behind the chain.`}
        </strong>{' '}
        Its newest block was made <Time at={network.timestamp} />. You see the state of that block.
      </p>
    </div>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <div className="theme" role="group" aria-label="Colors">
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
