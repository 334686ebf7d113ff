import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { MONEY_CLASSES } from '../words/choices.ts';
import { moneyHistory, type Classes, type ClassesAt, type MoneyEvent } from '../words/money.ts';
import { client, type ReadMeta } from './client.ts';

const PAGE = 200;
const MOST_ORDERS = 10;

interface PastPage {
  /** The present amounts; null on later pages. */
  start: { now: ClassesAt; disputeBond: number; genesis: Classes } | null;
  events: readonly MoneyEvent[];
  before: string | null;
}

function classesOf(accounts: readonly { accountId: string; balance: number }[]): Classes {
  const sums = Object.fromEntries(MONEY_CLASSES.map((name) => [name, 0])) as Record<
    keyof Classes,
    number
  >;
  for (const { accountId, balance } of accounts) {
    const own = MONEY_CLASSES.find((name) => accountId === `net:${name}`);
    sums[own ?? 'circulating'] += balance;
  }
  return sums;
}

async function readStart(): Promise<NonNullable<PastPage['start']>> {
  const [economy, genesis] = await Promise.all([
    client.read('/v1/tokenomics'),
    client.read('/v1/genesis'),
  ]);
  const classes = Object.fromEntries(
    economy.supply.classes.map(({ class: name, amount }) => [name, amount]),
  ) as Record<keyof Classes, number>;
  const { disputeBond } = economy.fees.byRule.work;
  return {
    now: { height: economy.height, classes },
    disputeBond,
    genesis: classesOf(genesis.accounts),
  };
}

export const pastEvents = infiniteQueryOptions({
  queryKey: ['economy', 'past'] as const,
  queryFn: async ({ pageParam }): Promise<PastPage> => {
    const start = pageParam === null ? await readStart() : null;
    const before = pageParam ?? `${(start?.now.height ?? 0) + 1}.0`;
    const { events, more, next } = await client.read('/v1/events', { before, limit: PAGE });
    return { start, events, before: more ? next : null };
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ before }) => before,
  meta: { pace: 'held' } satisfies ReadMeta,
  staleTime: Infinity,
});

export const disputesOf = (orderIds: readonly string[]) =>
  queryOptions({
    queryKey: ['economy', 'disputes', ...orderIds] as const,
    queryFn: async () =>
      new Map(
        await Promise.all(
          orderIds.map(async (orderId): Promise<[string, boolean]> => {
            const { order } = await client.read('/v1/work-orders/{orderId}', { orderId });
            return [orderId, order.dispute !== null];
          }),
        ),
      ),
    enabled: orderIds.length > 0,
    meta: { pace: 'fixed' } satisfies ReadMeta,
    staleTime: Infinity,
  });

export interface MoneyPast {
  points: readonly ClassesAt[];
  unknown: readonly string[];
  /** True if the events reach back to genesis. */
  isWhole: boolean;
}

export function moneyPast(
  pages: readonly PastPage[],
  known: ReadonlyMap<string, boolean>,
): MoneyPast | null {
  const start = pages[0]?.start;
  if (!start) return null;
  const events = pages.flatMap((page) => page.events);
  const { now, disputeBond, genesis } = start;
  if (pages.at(-1)?.before === null) {
    const { points } = moneyHistory(now, events, { disputeBond, known, isWhole: true });
    const first = points[0]?.classes;
    // A fork, or a follower that began at a checkpoint, lacks earlier events.
    if (first && MONEY_CLASSES.every((name) => first[name] === genesis[name]))
      return { points, unknown: [], isWhole: true };
  }
  const { points, unknown } = moneyHistory(now, events, { disputeBond, known, isWhole: false });
  return { points, unknown: unknown.slice(0, MOST_ORDERS), isWhole: false };
}
