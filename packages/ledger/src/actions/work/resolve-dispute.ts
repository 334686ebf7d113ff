import { Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import { decideContest } from './contest.ts';
import { requireOrder, workerOf } from './order.ts';

export const resolveDispute = defineAction({
  name: 'resolveDispute',
  summary:
    'Decide a dispute: the order ends paid or rejected, and the bond goes to the favoured party.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    orderId: RecordId,
    outcome: Type.Enum(['PAID', 'REJECTED']),
    reasonHash: Type.Optional(Hash),
  }),
  errors: ['WORK_ORDER_UNKNOWN', 'WORK_NOT_DISPUTED', 'OWN_DISPUTE'],
  events: [
    'DisputeResolved',
    'WorkerBondReturned',
    'DisputeSettled',
    'WorkOrderPaid',
    'WorkOrderRejected',
    'ReferralQualified',
  ],

  check({ state, authority }, { orderId }) {
    const order = requireOrder(state, orderId);
    requireThat(order.phase === 'DISPUTED', 'WORK_NOT_DISPUTED', '/payload/orderId');
    // Without another operator, the dispute times out to the committee's verdict.
    requireThat(order.requesterId !== authority.actorId, 'OWN_DISPUTE', '/payload/orderId');
    return order;
  },

  apply(context, { orderId, outcome, reasonHash }, order) {
    context.emit('DisputeResolved', {
      operatorId: context.authority.actorId,
      orderId,
      outcome,
      reasonHash: reasonHash ?? null,
      requesterId: order.requesterId,
      workerId: workerOf(order),
    });
    decideContest(context, order, outcome === 'PAID' ? 'VERIFIED' : 'REJECTED');
  },
});
