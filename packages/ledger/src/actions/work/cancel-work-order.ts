import { RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import { rejectOrder, requireOrder } from './order.ts';

export const cancelWorkOrder = defineAction({
  name: 'cancelWorkOrder',
  summary: 'Take back your order that has not been accepted, with a refund.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({ orderId: RecordId }),
  errors: ['WORK_ORDER_UNKNOWN', 'NOT_WORK_REQUESTER', 'WORK_ORDER_NOT_OPEN'],
  events: ['WorkOrderRejected'],

  check({ state, authority }, { orderId }) {
    const order = requireOrder(state, orderId);
    const path = '/payload/orderId';
    requireThat(order.requesterId === authority.actorId, 'NOT_WORK_REQUESTER', path);
    requireThat(order.status === 'OPEN', 'WORK_ORDER_NOT_OPEN', path);
    return order;
  },

  apply: (context, _payload, order) => rejectOrder(context, order, 'CANCELLED'),
});
