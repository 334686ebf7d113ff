/** Compares an order and its events, as a page shows them, with their proof. */
import type { DocumentOf } from '@netd/sdk/core';
import { unexplained } from '../words/order-past.ts';
import { agreement, growth, type Agreement } from './agreement.ts';
import type { Proof } from './proofs.ts';
import { recordAgreement } from './records.ts';

type Shown = Pick<DocumentOf<'/v1/work-orders/{orderId}/audit'>, 'order' | 'timeline' | 'height'>;

export function orderAgreement(
  { order, timeline, height }: Shown,
  { standing, proven }: Pick<Proof<'order'>, 'standing' | 'proven'>,
): Agreement {
  if (!proven) return { standing, contradicts: [] };
  const events = growth(timeline.events, proven.events);
  const { never, now } = recordAgreement('order', order, { value: proven.order });
  return agreement(
    standing,
    [
      ...never,
      ...(events === 'differ' ? ['events'] : []),
      // Both have the same height, so this detects a node that leaves out blocks with steps of the order.
      ...unexplained(order, timeline.events),
    ],
    [...now, ...(events === 'longer' ? ['events'] : [])],
    proven.height === height,
  );
}
