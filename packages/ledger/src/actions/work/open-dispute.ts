import { Amount, contestBondOf, contestersOf, Hash, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import { isReached } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { contest } from './contest.ts';
import {
  addToWorkStats,
  entering,
  lockBond,
  putOrder,
  requireOrder,
  rulesOf,
  workerOf,
} from './order.ts';

export const openDispute = defineAction({
  name: 'openDispute',
  summary:
    'Dispute the outcome of an order within its window, with a bond; or answer such a dispute with the same bond.',
  grant: { AGENT: 'base', HUMAN: 'application' },
  payload: exactly({
    orderId: RecordId,
    reasonHash: Type.String({ ...Hash, description: 'Commitment to the reasons.' }),
    bond: Type.Optional(
      Type.Integer({
        ...Amount,
        description:
          'Half the funding, rounded up; for orders without a rulesVersion the disputeBond of the policy. Repeating it agrees to it, so that no other is locked. It may be left out up to that disputeBond. An answer locks what the account holds if that is less.',
      }),
    ),
  }),
  spends: { member: 'orderId', amount: ({ bond }, { work }) => bond ?? work.disputeBond },
  errors: [
    'WORK_ORDER_UNKNOWN',
    'NOT_WORK_PARTY',
    'WORK_NOT_VERIFIED',
    'DISPUTE_WINDOW_CLOSED',
    'DISPUTE_BOND_MISMATCH',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['DisputeOpened', 'DisputeAnswered'],

  check({ state, block, policy, authority }, { orderId, bond }) {
    const order = requireOrder(state, orderId);
    const path = '/payload/orderId';
    const isNew = rulesOf(order).atLeast(2);
    const { actorId } = authority;
    requireThat([order.requesterId, order.workerId].includes(actorId), 'NOT_WORK_PARTY', path);
    const contesters = contestersOf(order);
    requireThat(contesters.length > 0 && order.disputableUntil, 'WORK_NOT_VERIFIED', path);
    requireThat(
      contesters.includes(actorId),
      'NOT_WORK_PARTY',
      path,
      () => `only ${contesters.join()} can dispute it now`,
    );
    requireThat(!isReached(order.disputableUntil, block), 'DISPUTE_WINDOW_CLOSED', path);
    const asked = isNew ? contestBondOf(order.funding) : policy.work.disputeBond;
    // Without a bond in the payload, `spends` bounds the locked amount.
    const isAgreed = bond === asked || (bond === undefined && asked <= policy.work.disputeBond);
    requireThat(
      isAgreed,
      'DISPUTE_BOND_MISMATCH',
      '/payload/bond',
      () => `the bond is ${asked} unet`,
    );
    if (order.phase !== 'CONTESTED') requireBalance(state, actorId, asked, path);
    return order;
  },

  apply(context, { orderId, reasonHash }, order) {
    const { state, policy, authority, emit } = context;
    if (rulesOf(order).atLeast(2)) {
      return contest(context, order, { actorId: authority.actorId, reasonHash });
    }
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
