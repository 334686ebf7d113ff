import { useQueries } from '@tanstack/react-query';
import type { DocumentOf, ParametersOf } from '@netd/sdk/core';
import { useMemo } from 'react';
import { reading } from './client.ts';

type Asked = Pick<ParametersOf<'/v1/work-orders'>, 'agentId' | 'requesterId' | 'limit'>;

/** Defined outside the hook, so that React Query can memoize its result. */
const ordersOf = (
  answers: readonly { data: DocumentOf<'/v1/work-orders'> | undefined }[],
): readonly (DocumentOf<'/v1/work-orders'>['orders'] | undefined)[] =>
  answers.map(({ data }) => data?.orders);

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
