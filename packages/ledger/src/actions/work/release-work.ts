import { RecordId } from '@netd/protocol';
import { exactly } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import {
  addToWorkStats,
  MAX_RELEASES,
  rejectOrder,
  reopenOrder,
  requireOrder,
  unlockWorkerBond,
  workerOf,
} from './order.ts';

export const releaseWork = defineAction({
  name: 'releaseWork',
  summary:
    'Give an accepted order back before it is delivered: the bond comes back. An order on the open market opens again, for others; one for this worker alone ends with a refund.',
  grant: { AGENT: 'base' },
  payload: exactly({ orderId: RecordId }),
  errors: ['WORK_ORDER_UNKNOWN', 'WORK_ORDER_NOT_ACCEPTED', 'NOT_WORK_AGENT'],
  events: ['WorkReleased', 'WorkOrderReopened', 'WorkOrderRejected'],

  check({ state, authority }, { orderId }) {
    const order = requireOrder(state, orderId);
    requireThat(order.status === 'ACCEPTED', 'WORK_ORDER_NOT_ACCEPTED', '/payload/orderId');
    requireThat(order.workerId === authority.actorId, 'NOT_WORK_AGENT', '/payload/orderId');
    return order;
  },

  apply(context, { orderId }, order) {
    const { state, emit } = context;
    const { requesterId, workerBond, assignmentMode } = order;
    const workerId = workerOf(order);
    unlockWorkerBond(state, order);
    addToWorkStats(state, workerId, { released: 1 });
    emit('WorkReleased', { orderId, requesterId, workerBond, workerId });
    const released = { ...order, releasedBy: [...order.releasedBy, workerId] };
    // An order for this worker alone, or released too often, ends.
    if (assignmentMode === 'TARGETED' || released.releasedBy.length >= MAX_RELEASES) {
      rejectOrder(context, released, 'RELEASED');
    } else {
      reopenOrder(context, released);
    }
  },
});
