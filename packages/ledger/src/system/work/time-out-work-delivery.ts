import {
  addToWorkStats,
  forfeitWorkerBond,
  isSubstantial,
  rejectOrder,
  reopenOrder,
  workerOf,
} from '../../actions/work/order.ts';
import type { SystemTransition } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const timeOutWorkDelivery: SystemTransition = {
  summary:
    'The worker delivered nothing in time: its bond goes to the requester, an order of the market back to it once, else it ends with a refund.',
  events: ['WorkerBondForfeited', 'WorkOrderReopened', 'WorkOrderRejected'],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    forfeitWorkerBond(context, order);
    const { state, policy } = context;
    addToWorkStats(state, workerOf(order), {
      timeouts: Number(isSubstantial(order, policy.work)),
    });
    if (order.assignmentMode === 'OPEN_MARKET' && order.returns === 0) {
      reopenOrder(context, { ...order, returns: order.returns + 1 });
    } else rejectOrder(context, order, 'DELIVERY_TIMEOUT');
  },
};
