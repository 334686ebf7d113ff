/** Validates query strings, because readers may type addresses by hand. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import {
  AGENT_TABS,
  DEVELOPER_TABS,
  GOVERNANCE_TABS,
  JOIN_WAYS,
  PHASES,
  STREAM_FILTERS,
  WALLET_TABS,
} from '../chain/filters.ts';
import { rootUrl } from '../chain/root-url.ts';
import { LANGUAGES, MONEY_CLASSES } from '../words/choices.ts';
import { NotFound } from '../ui/not-found.tsx';
import { PageFault } from '../marks/page-fault.tsx';
import { keptHeight } from './kept-height.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  ...keptHeight,
});
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

const now = createRoute({
  ...at('/'),
  validateSearch: ({
    show,
  }: Record<string, unknown>): { show?: (typeof STREAM_FILTERS)[number] | undefined } => ({
    show: oneOf(STREAM_FILTERS, show),
  }),
  staticData: { heights: 'each' },
  component: lazyRouteComponent(() => import('../pages/now.tsx'), 'NowPage'),
});
const run = createRoute({
  ...at('/run'),
  validateSearch: ({
    join,
  }: Record<string, unknown>): { join?: (typeof JOIN_WAYS)[number] | undefined } => ({
    join: oneOf(JOIN_WAYS, join),
  }),
  component: lazyRouteComponent(() => import('../pages/run.tsx'), 'RunPage'),
});
const work = createRoute({
  ...at('/work'),
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    phase?: (typeof PHASES)[number] | undefined;
    fits?: string | undefined;
    by?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  } => ({
    phase: oneOf(PHASES, search['phase']),
    fits: textOf(search['fits']),
    by: textOf(search['by']),
    from: dayOf(search['from']),
    to: dayOf(search['to']),
  }),
  component: lazyRouteComponent(() => import('../pages/work.tsx'), 'WorkPage'),
});
const order = createRoute({
  ...at('/work/$orderId'),
  staticData: { heights: 'each' },
  component: lazyRouteComponent(() => import('../pages/order.tsx'), 'OrderPage'),
});
const replay = createRoute({
  ...at('/work/$orderId/replay'),
  staticData: { heights: 'each' },
  component: lazyRouteComponent(() => import('../pages/order.tsx'), 'ReplayPage'),
});
const agents = createRoute({
  ...at('/agents'),
  validateSearch: ({
    capability,
    name,
  }: Record<string, unknown>): {
    capability?: string | undefined;
    name?: string | undefined;
  } => ({
    capability: textOf(capability),
    name: textOf(name),
  }),
  component: lazyRouteComponent(() => import('../pages/agents.tsx'), 'AgentsPage'),
});
const agent = createRoute({
  ...at('/agents/$agentId'),
  validateSearch: ({
    tab,
  }: Record<string, unknown>): { tab?: (typeof AGENT_TABS)[number] | undefined } => ({
    tab: oneOf(AGENT_TABS, tab),
  }),
  staticData: { heights: 'each' },
  component: lazyRouteComponent(() => import('../pages/agent.tsx'), 'AgentPage'),
});
const blocks = createRoute({
  ...at('/blocks'),
  component: lazyRouteComponent(() => import('../pages/blocks.tsx'), 'BlocksPage'),
});
const block = createRoute({
  ...at('/blocks/$height'),
  staticData: { heights: 'same' },
  component: lazyRouteComponent(() => import('../pages/block.tsx'), 'BlockPage'),
});
const transition = createRoute({
  ...at('/transitions/$hash'),
  staticData: { heights: 'same' },
  component: lazyRouteComponent(() => import('../pages/transition.tsx'), 'TransitionPage'),
});
const network = createRoute({
  ...at('/network'),
  component: lazyRouteComponent(() => import('../pages/network.tsx'), 'NetworkPage'),
});
const economy = createRoute({
  ...at('/economy'),
  validateSearch: ({
    of,
  }: Record<string, unknown>): { of?: (typeof MONEY_CLASSES)[number] | undefined } => ({
    of: oneOf(MONEY_CLASSES, of),
  }),
  component: lazyRouteComponent(() => import('../pages/economy.tsx'), 'EconomyPage'),
});
const tokens = createRoute({
  ...at('/tokens'),
  component: lazyRouteComponent(() => import('../pages/tokens.tsx'), 'TokensPage'),
});
const token = createRoute({
  ...at('/tokens/$tokenId'),
  component: lazyRouteComponent(() => import('../pages/token.tsx'), 'TokenPage'),
});
const governance = createRoute({
  ...at('/governance'),
  validateSearch: ({
    show,
  }: Record<string, unknown>): { show?: (typeof GOVERNANCE_TABS)[number] | undefined } => ({
    show: oneOf(GOVERNANCE_TABS, show),
  }),
  component: lazyRouteComponent(() => import('../pages/governance.tsx'), 'GovernancePage'),
});
const contribution = createRoute({
  ...at('/governance/contributions/$contributionId'),
  component: lazyRouteComponent(
    () => import('../pages/governance/contribution.tsx'),
    'ContributionPage',
  ),
});
const proposal = createRoute({
  ...at('/governance/proposals/$proposalId'),
  component: lazyRouteComponent(() => import('../pages/governance/proposal.tsx'), 'ProposalPage'),
});
const developers = createRoute({
  ...at('/developers'),
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    show?: (typeof DEVELOPER_TABS)[number] | undefined;
    read?: string | undefined;
    find?: string | undefined;
    act?: string | undefined;
    as?: string | undefined;
    code?: (typeof LANGUAGES)[number] | undefined;
  } => ({
    show: oneOf(DEVELOPER_TABS, search['show']),
    read: textOf(search['read']),
    find: textOf(search['find']),
    act: textOf(search['act']),
    as: textOf(search['as']),
    code: oneOf(LANGUAGES, search['code']),
  }),
  component: lazyRouteComponent(() => import('../pages/developers.tsx'), 'DevelopersPage'),
});
const verify = createRoute({
  ...at('/verify'),
  component: lazyRouteComponent(() => import('../pages/verify.tsx'), 'VerifyPage'),
});
const wallet = createRoute({
  ...at('/wallet'),
  validateSearch: (
    search: Record<string, unknown>,
  ): {
    tab?: (typeof WALLET_TABS)[number] | undefined;
    do?: string | undefined;
    of?: string | undefined;
  } => ({
    tab: oneOf(WALLET_TABS, search['tab']),
    do: textOf(search['do']),
    of: textOf(search['of']),
  }),
  component: lazyRouteComponent(() => import('../pages/wallet/wallet.tsx'), 'WalletPage'),
});

const routeTree = root.addChildren([
  now,
  run,
  work,
  order,
  replay,
  agents,
  agent,
  blocks,
  block,
  transition,
  network,
  economy,
  tokens,
  token,
  governance,
  contribution,
  proposal,
  developers,
  verify,
  wallet,
]);

export const router = createRouter({
  routeTree,
  basepath: new URL(rootUrl).pathname,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageFault,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** `each`: the page can show every height. `same`: it never changes. Absent: it shows only the newest height. */
    heights?: 'each' | 'same';
  }
}
