import { rejectOrder } from '../../actions/work/order.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const timeOutWorkAcceptance: SystemTransition = {
  summary: 'Nobody accepted the order in time: it ends with a refund.',
  events: ['WorkOrderRejected'],
  apply: (context, orderId) =>
    rejectOrder(context, orderOf(context, orderId), 'ACCEPTANCE_TIMEOUT'),
};
