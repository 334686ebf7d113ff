import {
  addToWorkStats,
  entering,
  forfeitWorkerBond,
  putOrder,
  rejectOrder,
  workerOf,
} from '../../actions/work/order.ts';
import type { WorkOrderRecord } from '../../actions/work/records.ts';
import type { SystemTransition, WriteContext } from '../../transition.ts';
import { orderOf } from './order-of.ts';

export const timeOutWorkDelivery: SystemTransition = {
  summary:
    'The worker delivered nothing in time: its bond goes to the requester, an order of the market back to it once, else it ends with a refund.',
  events: ['WorkerBondForfeited', 'WorkOrderReopened', 'WorkOrderRejected'],
  apply(context, orderId) {
    const order = orderOf(context, orderId);
    forfeitWorkerBond(context, order);
    addToWorkStats(context.state, workerOf(order), { timeouts: 1 });
    if (order.assignmentMode === 'OPEN_MARKET' && order.returns === 0) reopen(context, order);
    else rejectOrder(context, order, 'DELIVERY_TIMEOUT');
  },
};

function reopen(context: WriteContext, order: WorkOrderRecord): void {
  const { state, emit } = context;
  const { orderId, requesterId } = order;
  const workerId = workerOf(order);
  addToWorkStats(state, workerId, { unfinishedOrders: -1 });
  putOrder(state, order, {
    ...order,
    status: 'OPEN',
    ...entering('OPEN', order, context),
    workerId: null,
    acceptedAt: null,
    returns: order.returns + 1,
  });
  emit('WorkOrderReopened', { orderId, requesterId, workerId });
}
