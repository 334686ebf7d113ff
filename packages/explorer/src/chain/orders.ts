/** Lists of orders. The node filters, so that requests do not grow with the chain. */
import type { DocumentOf } from '@netd/sdk/core';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Column } from '../words/order.ts';
import { client, type ReadMeta } from './client.ts';

type Document = DocumentOf<'/v1/work-orders'>;
export type Order = Document['orders'][number];
type Status = Order['status'];

const STATUSES: Readonly<Record<Column, readonly Status[]>> = {
  open: ['OPEN'],
  working: ['ACCEPTED'],
  checking: ['VERIFYING'],
  ended: ['PAID', 'REJECTED'],
};

const PAGE = 50;
/** Orders of each status on the board, so that new ended orders do not hide open ones. */
const BOARD_PAGE = 20;

interface OrderPage {
  height: number;
  byStatus: Document['byStatus'];
  orders: Order[];
  cursors: (string | null)[];
}

export function orderPages(column: Column | undefined, requesterId: string | undefined) {
  const statuses = column === undefined ? Object.values(STATUSES).flat() : STATUSES[column];
  const lists = statuses.map((status) => ({ status }));
  const limit = column === undefined ? BOARD_PAGE : PAGE;
  const of = requesterId === undefined ? {} : { requesterId };
  return infiniteQueryOptions({
    queryKey: ['/v1/work-orders', 'board', column ?? '', requesterId ?? ''] as const,
    queryFn: async ({ pageParam }): Promise<OrderPage> => {
      const read = await Promise.all(
        lists.map(async (list, at) => {
          const cursor = pageParam?.[at];
          if (cursor === null) return null;
          const more = cursor === undefined ? {} : { cursor };
          return client.read('/v1/work-orders', { ...list, ...of, ...more, limit });
        }),
      );
      const found = read.filter((document) => document !== null);
      const [first] = found;
      if (first === undefined) throw new Error('there is no further page of orders');
      return {
        height: Math.min(...found.map(({ height }) => height)),
        byStatus: first.byStatus,
        orders: found.flatMap(({ orders }) => orders).toSorted(newestFirst),
        cursors: read.map((document) => document?.nextCursor ?? null),
      };
    },
    initialPageParam: null as (string | null)[] | null,
    getNextPageParam: ({ cursors }) => (cursors.some((cursor) => cursor !== null) ? cursors : null),
    meta: { pace: 'held' } satisfies ReadMeta,
    staleTime: 60_000,
  });
}

function newestFirst({ createdAt: a }: Order, { createdAt: b }: Order): number {
  return b.height - a.height || b.index - a.index;
}

export const inColumn = (column: Column, byStatus: Document['byStatus']): number =>
  STATUSES[column].reduce((sum, status) => sum + (byStatus[status] ?? 0), 0);
