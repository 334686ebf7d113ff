import { payOrder } from '../../actions/work/order.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const timeOutWorkDispute: SystemTransition = {
  summary: 'Nobody resolved a dispute in time: the outcome of the vote stands.',
  events: ['WorkOrderPaid', 'ReferralQualified'],
  apply: (context, orderId) => payOrder(context, orderOf(context, orderId)),
};
