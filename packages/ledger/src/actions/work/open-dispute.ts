import { Amount, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import {
  addToWorkStats,
  awaitsSettlement,
  entering,
  lockBond,
  putOrder,
  requireOrder,
  workerOf,
} from './order.ts';

export const openDispute = defineAction({
  name: 'openDispute',
  summary: 'As requester or worker, dispute a verified order within its window, with a bond.',
  grant: { AGENT: 'base', HUMAN: 'application' },
  payload: exactly({
    orderId: RecordId,
    reasonHash: Type.String({ ...Hash, description: 'Commitment to the reasons.' }),
    bond: Type.Optional(
      Type.Integer({
        ...Amount,
        description:
          'The disputeBond of the policy: agreed to by being repeated, so that no other is locked. Without it, whatever the policy asks.',
      }),
    ),
  }),
  spends: { member: 'orderId', amount: (_payload, { work }) => work.disputeBond },
  errors: [
    'WORK_ORDER_UNKNOWN',
    'NOT_WORK_PARTY',
    'WORK_NOT_VERIFIED',
    'DISPUTE_WINDOW_CLOSED',
    'DISPUTE_BOND_MISMATCH',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['DisputeOpened'],

  check({ state, block, policy, authority }, { orderId, bond }) {
    const order = requireOrder(state, orderId);
    const path = '/payload/orderId';
    requireThat(
      [order.requesterId, order.workerId].includes(authority.actorId),
      'NOT_WORK_PARTY',
      path,
    );
    requireThat(awaitsSettlement(order) && order.disputableUntil, 'WORK_NOT_VERIFIED', path);
    requireThat(
      order.phase !== 'UNJUDGED' || authority.actorId === order.requesterId,
      'NOT_WORK_PARTY',
      path,
    );
    requireThat(!isReached(order.disputableUntil, block), 'DISPUTE_WINDOW_CLOSED', path);
    const { disputeBond } = policy.work;
    const isAgreed = bond === undefined || bond === disputeBond;
    requireThat(isAgreed, 'DISPUTE_BOND_MISMATCH', '/payload/bond');
    requireBalance(state, authority.actorId, disputeBond, path);
    return order;
  },

  apply(context, { orderId, reasonHash }, order) {
    const { state, policy, authority, emit } = context;
    const bond = policy.work.disputeBond;
    lockBond(state, authority.actorId, bond);
    if (authority.actorId === order.requesterId) {
      addToWorkStats(state, order.requesterId, { requested: { disputed: 1 } });
    }
    putOrder(state, order, {
      ...order,
      ...entering('DISPUTED', order, context),
      dispute: {
        bond,
        openedAt: positionOf(context),
        openedBy: authority.actorId,
        reasonHash,
      },
    });
    emit('DisputeOpened', {
      actorId: authority.actorId,
      bond,
      orderId,
      reasonHash,
      requesterId: order.requesterId,
      workerId: workerOf(order),
    });
  },
});
