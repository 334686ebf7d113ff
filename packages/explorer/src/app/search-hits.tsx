import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, type ReactNode } from 'react';
import { client, reading, type ReadMeta } from '../chain/client.ts';
import { Icon } from '../ui/icons.tsx';
import { NameWarnings } from '../marks/likeness.tsx';
import { Said } from '../ui/said.tsx';
import { Face } from '../marks/names.tsx';
import { usePaused } from '../ui/paused.ts';
import { shortHash, shortId, words } from '../words/ids.ts';
import { fits } from '../words/fits.ts';
import { orderNote } from '../words/order.ts';
import { GUIDES } from '../words/guides.ts';
import { PLACES } from './areas.ts';
import type { Found } from './search-dialog.tsx';
import { targetsOf, type Target } from './search-targets.ts';

interface Hit {
  key: string;
  icon: ReactNode;
  name: string;
  note: string;
  to: string;
  agent?: string;
}

const MOST = 12;

export function SearchHits({
  typed,
  chosen,
  choose,
  go,
  report,
}: {
  typed: string;
  chosen: number;
  choose: (index: number) => void;
  go: (path: string) => void;
  report: (found: Found) => void;
}) {
  const { hits, isComplete } = useHits(typed.trim());
  const paths = hits.map(({ to }) => to).join(' ');
  useLayoutEffect(
    () => report({ paths: paths === '' ? [] : paths.split(' '), isComplete }),
    [paths, isComplete],
  );
  if (hits.length === 0) {
    return (
      <p className="search-none soft">
        {isComplete
          ? 'Nothing found. Try the first characters of an id. The newest agents and orders are also found by a word of their title or description.'
          : 'Searching…'}
      </p>
    );
  }
  return (
    <div id="search-hits" role="listbox" aria-label="Search results" className="search-hits">
      {hits.map((hit, index) => (
        <div
          key={hit.key}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          onClick={() => go(hit.to)}
          onMouseMove={() => choose(index)}
        >
          {hit.icon}
          <span className="hit-name">
            <Said text={hit.name} />
            {hit.agent !== undefined && <NameWarnings kind="agent" id={hit.agent} />}
          </span>
          <span className="soft">
            <Said text={hit.note} />
          </span>
        </div>
      ))}
    </div>
  );
}

function useHits(like: string): { hits: Hit[]; isComplete: boolean } {
  const agents = useQuery(reading('/v1/agents', { limit: 100 }, 'held'));
  const orders = useQuery(reading('/v1/work-orders', { limit: 100 }, 'held'));
  const tokens = useQuery(reading('/v1/tokens', { limit: 100 }, 'held'));
  const asked = usePaused(like);
  const targets = targetsOf(asked);
  const begun = useBegun(asked);
  const exact = useQuery({
    queryKey: ['search', asked],
    queryFn: async () => {
      const found = await Promise.all(targets.map((target) => find(target).catch(() => null)));
      return found.filter((target) => target !== null);
    },
    enabled: targets.length > 0,
    staleTime: 5_000,
    retry: false,
  });
  // The exact hit comes first, and the lists say more about it than its proof.
  const exactHits = (exact.data ?? []).map((target) => {
    const hit = hitOf(target);
    return begun.hits.find(({ key }) => key === hit.key) ?? hit;
  });
  const named = [...exactHits, ...begun.hits];
  const actions = useQuery({ ...actionNames, enabled: like !== '' });
  const known: Hit[] =
    like === ''
      ? []
      : [
          ...(agents.data?.agents ?? [])
            .filter(({ agentId, description }) => fits(`${agentId} ${description ?? ''}`, like))
            .map(({ agentId, description }) => ({
              ...hitOf({ kind: 'agent', id: agentId }),
              note: description || 'agent',
            })),
          ...(orders.data?.orders ?? [])
            .filter(({ orderId, title }) => fits(`${orderId} ${title}`, like))
            .map((order) => ({
              ...hitOf({ kind: 'order', id: order.orderId }),
              name: order.title,
              note: orderNote(order),
            })),
          ...(tokens.data?.tokens ?? [])
            .filter(({ tokenId, name, symbol }) => fits(`${tokenId} ${name} ${symbol}`, like))
            .map(({ tokenId, name }) => ({
              ...hitOf({ kind: 'token', id: tokenId }),
              note: name,
            })),
        ];
  const pages = [
    ...PLACES.map(([to, icon, name]) => ({
      key: to,
      icon: <Icon name={icon} />,
      name,
      note: 'page',
      about: '',
      to,
    })),
    ...GUIDES.map(([name, title, about]) => ({
      key: `guide ${name}`,
      icon: <Icon name="more" />,
      name: `How to ${title.toLowerCase()}`,
      note: 'guide',
      about,
      to: `/docs/guides/${name}`,
    })),
    {
      key: 'docs',
      icon: <Icon name="more" />,
      name: 'Interface: every operation and action',
      note: 'documentation',
      about: 'reference',
      to: '/docs',
    },
  ].filter(({ name, about }) => fits(`${name} ${about}`, like));
  const acts = (actions.data ?? [])
    .filter(({ name, summary }) => fits(`${name} ${words(name)} ${summary}`, like))
    .map(({ name, summary }) => ({
      key: `action ${name}`,
      icon: <Icon name="developers" />,
      name,
      note: summary,
      to: `/docs/actions/${name}`,
    }));
  const all = [...named, ...known, ...pages, ...acts];
  const isPending = [agents, orders, tokens, exact, actions].some(({ isLoading }) => isLoading);
  return {
    hits: all
      .filter(({ key }, at) => all.findIndex((other) => other.key === key) === at)
      .slice(0, MOST),
    isComplete: asked === like && !isPending && !begun.isPending,
  };
}

const actionNames = queryOptions({
  queryKey: ['actions'] as const,
  queryFn: async () => (await import('../wallet/actions.ts')).ACTIONS,
  staleTime: Infinity,
  meta: { pace: 'fixed' } satisfies ReadMeta,
});

/** Only text that could begin an id is looked up. */
const BEGINNING = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
const BEGUN = 6;

function useBegun(typed: string): { hits: Hit[]; isPending: boolean } {
  const prefix = BEGINNING.test(typed) ? typed : '';
  const asked = { prefix, limit: BEGUN };
  const options = { enabled: prefix !== '', placeholderData: keepPreviousData, retry: false };
  const agents = useQuery({ ...reading('/v1/agents', asked, 'held'), ...options });
  const orders = useQuery({ ...reading('/v1/work-orders', asked, 'held'), ...options });
  const hits = [
    ...(agents.data?.agents ?? [])
      .filter(({ agentId }) => agentId.startsWith(typed))
      .map(({ agentId, description }) => ({
        ...hitOf({ kind: 'agent', id: agentId }),
        note: description || 'agent',
      })),
    ...(orders.data?.orders ?? [])
      .filter(({ orderId }) => orderId.startsWith(typed))
      .map((order) => ({
        ...hitOf({ kind: 'order', id: order.orderId }),
        note: `${order.title}: ${orderNote(order)}`,
      })),
  ];
  const isPending = [agents, orders].some((one) => one.isLoading || one.isPlaceholderData);
  return { hits: prefix === '' ? [] : hits, isPending: prefix !== '' && isPending };
}

/**
 * Uses proofs and lists, because a 404 for each incomplete name would fill the console with errors.
 * @returns null if nothing has this name
 * @throws NetError if the node refuses
 */
async function find(target: Target): Promise<Exact | null> {
  switch (target.kind) {
    case 'agent':
    case 'order':
    case 'token': {
      const key = `${target.kind}/${target.id}`;
      const { value } = await client.read('/v1/state/proof', { key });
      return value === null ? null : target;
    }
    case 'block': {
      const { blocks } = await client.read('/v1/blocks', { heights: String(target.height) });
      return blocks.length > 0 ? target : null;
    }
    case 'transition':
      await client.read('/v1/transitions/{transitionHash}', { transitionHash: target.hash });
      return target;
    default:
      return await findBlock(target.hash);
  }
}

/**
 * Finds a block by its certificate's hash, or by its own hash among the newest. Nodes have no index of block
 * hashes.
 */
async function findBlock(hash: string): Promise<Exact | null> {
  const { blocks } = await client.read('/v1/blocks', { limit: 100 });
  const block = blocks.find(({ blockHash }) => blockHash === hash);
  if (block) return { kind: 'block', height: block.height };
  const certificate = await client.read('/v1/consensus/certificates/{certificateHash}', {
    certificateHash: hash,
  });
  return { kind: 'block', height: certificate.height };
}

type Exact = Exclude<Target, { kind: 'certified' }>;

function idOf(target: Exact): string {
  if (target.kind === 'block') return String(target.height);
  return target.kind === 'transition' ? target.hash : target.id;
}

function hitOf(target: Exact): Hit {
  const id = idOf(target);
  const key = `${target.kind} ${id}`;
  switch (target.kind) {
    case 'agent':
      return {
        key,
        icon: <Face id={id} size={18} />,
        name: shortId(id, 40),
        note: 'agent',
        to: `/agents/${id}`,
        agent: id,
      };
    case 'order':
      return {
        key,
        icon: <Icon name="work" />,
        name: shortId(id, 40),
        note: 'work',
        to: `/work/${id}`,
      };
    case 'token':
      return { key, icon: <Icon name="tokens" />, name: id, note: 'token', to: `/tokens/${id}` };
    case 'block':
      return {
        key,
        icon: <Icon name="blocks" />,
        name: `Block ${id}`,
        note: 'block',
        to: `/blocks/${id}`,
      };
    default:
      return {
        key,
        icon: <Icon name="check" />,
        name: shortHash(id, 16),
        note: 'transition',
        to: `/transitions/${id}`,
      };
  }
}
