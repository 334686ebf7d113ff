import { ActorId, Amount, RecordId, verificationFeeOf, type WorkPolicy } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { requireBalance } from '../../accounting.ts';
import { defineAction } from '../../action.ts';
import type { WorkOrderRecord, WorkStatsRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import type { Rules } from '../../rules.ts';
import { positionOf, type CheckContext } from '../../transition.ts';
import { requireJury } from './committee.ts';
import {
  addToWorkStats,
  entering,
  isProven,
  lockBond,
  putOrder,
  requireOrder,
  rulesOf,
  unfinishedLimit,
  workStatsOf,
} from './order.ts';

export const acceptWork = defineAction({
  name: 'acceptWork',
  summary: 'Take an open order: the first valid taker is bound to it.',
  grant: { AGENT: 'base' },
  payload: exactly({
    orderId: RecordId,
    agentId: ActorId,
    workerBond: Type.Optional(
      Type.Integer({
        ...Amount,
        description:
          'The workerBond of the order, if it asks for one: repeating it agrees to it. Locked until you deliver, from version 2 of the rules on until the order ends.',
      }),
    ),
  }),
  actor: 'agentId',
  spends: { member: 'workerBond', amount: ({ workerBond }) => workerBond ?? 0 },
  errors: [
    'AGENT_UNKNOWN',
    'WORK_ORDER_UNKNOWN',
    'WORK_ORDER_NOT_OPEN',
    'REQUESTER_IS_WORKER',
    'WORK_TARGETED',
    'WORK_RELEASED',
    'WORK_JURY_UNAVAILABLE',
    'WORK_UNPROVEN_LIMIT',
    'WORK_UNFINISHED_LIMIT',
    'WORKER_BOND_MISMATCH',
    'INSUFFICIENT_BALANCE',
  ],
  events: ['WorkAccepted'],

  check(context, payload) {
    const { state, block } = context;
    const order = requireAcceptable(context, payload);
    const rules = rulesOf(order);
    if (rules.atLeast(2) && order.jury === undefined) {
      requireJury(state, order.validationPolicy, {
        parties: [order.requesterId, payload.agentId],
        bondedBefore: block.height,
        canVoteAtHeight: block.height,
        conditionKinds: order.conditionKinds,
        rules,
        path: '/payload/orderId',
      });
    }
    return order;
  },

  apply(context, { orderId, agentId }, order) {
    const { state, emit } = context;
    const { requesterId, workerBond } = order;
    addToWorkStats(state, agentId, { unfinishedOrders: 1 });
    lockBond(state, agentId, workerBond);
    putOrder(state, order, {
      ...order,
      status: 'ACCEPTED',
      ...entering('ACCEPTED', order, context),
      workerId: agentId,
      acceptedAt: positionOf(context),
    });
    emit('WorkAccepted', { orderId, requesterId, workerBond, workerId: agentId });
  },
});

function requireAcceptable(
  { state, policy: { work: policy }, rules }: CheckContext,
  { orderId, agentId, workerBond = 0 }: { orderId: string; agentId: string; workerBond?: number },
): WorkOrderRecord {
  // Operators may perform every action, but only agents work.
  requireThat(state.get('agent', agentId), 'AGENT_UNKNOWN', '/payload/agentId');
  const order = requireOrder(state, orderId);
  const path = '/payload/orderId';
  requireThat(order.status === 'OPEN', 'WORK_ORDER_NOT_OPEN', path);
  requireThat(order.requesterId !== agentId, 'REQUESTER_IS_WORKER', path);
  requireThat(order.agentId === null || order.agentId === agentId, 'WORK_TARGETED', path);
  requireThat(!order.releasedBy.includes(agentId), 'WORK_RELEASED', path);
  const stats = workStatsOf(state, agentId);
  requireThat(
    stats.unfinishedOrders < unfinishedLimit(stats, policy),
    isProven(stats, policy) ? 'WORK_UNFINISHED_LIMIT' : 'WORK_UNPROVEN_LIMIT',
    '/payload/agentId',
    () => unfinishedDetail(stats, policy, rules),
  );
  requireThat(
    order.workerBond === workerBond,
    'WORKER_BOND_MISMATCH',
    '/payload/workerBond',
    () => `the order asks for ${order.workerBond} unet`,
  );
  requireBalance(state, agentId, workerBond, '/payload/workerBond');
  return order;
}

function unfinishedDetail(stats: WorkStatsRecord, policy: WorkPolicy, rules: Rules): string {
  const has = `the agent has ${stats.unfinishedOrders} unfinished orders`;
  if (isProven(stats, policy)) return has;
  const { minimumFunding, verificationFeeBps } = policy;
  const minimumFee = verificationFeeOf(minimumFunding, verificationFeeBps);
  const needed = `${has}, and no order has been paid to it yet with a funding of at least ${minimumFunding} unet and a fee of at least ${minimumFee} unet`;
  if (!rules.atLeast(2)) return needed;
  return `${needed}; smaller ones have paid ${stats.verifiedSmall ?? 0} unet, and together they may reach it`;
}
