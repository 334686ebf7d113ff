import { RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { awaitsSettlement, payOrder, requireOrder } from './order.ts';

export const settleVerifiedWork = defineAction({
  name: 'settleVerifiedWork',
  summary: 'Pay out an order whose dispute window has passed; anyone may.',
  grant: { AGENT: 'base', HUMAN: 'application' },
  payload: exactly({ orderId: RecordId }),
  errors: ['WORK_ORDER_UNKNOWN', 'WORK_NOT_VERIFIED', 'DISPUTE_WINDOW_OPEN'],
  events: ['WorkerBondReturned', 'WorkOrderPaid', 'ReferralQualified'],

  check({ state, block }, { orderId }) {
    const order = requireOrder(state, orderId);
    const path = '/payload/orderId';
    requireThat(awaitsSettlement(order) && order.disputableUntil, 'WORK_NOT_VERIFIED', path);
    requireThat(isReached(order.disputableUntil, block), 'DISPUTE_WINDOW_OPEN', path);
    return order;
  },

  apply: (context, _payload, order) => payOrder(context, order),
});
