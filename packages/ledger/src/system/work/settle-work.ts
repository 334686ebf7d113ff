import { payOrder } from '../../actions/work/order.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const settleWork: SystemTransition = {
  summary: 'Nobody settled a verified order: it is paid.',
  events: ['WorkOrderPaid', 'ReferralQualified'],
  apply: (context, orderId) => payOrder(context, orderOf(context, orderId)),
};
