/** What orders are called by those who offer them, for sentences that name an order by its id alone. */
import { useQueries } from '@tanstack/react-query';
import type { DocumentOf, ParametersOf } from '@netd/sdk/core';
import { useMemo } from 'react';
import { reading } from './client.ts';

type Asked = Pick<ParametersOf<'/v1/work-orders'>, 'agentId' | 'requesterId' | 'limit'>;

/** One function for all renders: what it comes to is then kept until an answer changes. */
const ordersOf = (
  answers: readonly { data: DocumentOf<'/v1/work-orders'> | undefined }[],
): readonly (DocumentOf<'/v1/work-orders'>['orders'] | undefined)[] =>
  answers.map(({ data }) => data?.orders);

/** The titles, quoted, of the newest orders of each list that is asked for. */
export function useOrderTitles(
  lists: readonly Asked[],
  enabled = true,
): ReadonlyMap<string, string> {
  const answers = useQueries({
    queries: lists.map((asked) => ({
      ...reading('/v1/work-orders', asked),
      enabled,
    })),
    combine: ordersOf,
  });
  return useMemo(() => {
    const orders = answers.flatMap((each) => each ?? []);
    return new Map(orders.map(({ orderId, title }) => [orderId, `“${title}”`]));
  }, [answers]);
}
