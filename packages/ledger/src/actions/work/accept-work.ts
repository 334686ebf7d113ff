import { ActorId, RecordId } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import type { WorkOrderRecord } from './records.ts';
import { deadlineAfter } from '../../deadline.ts';
import { RuleError } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import {
  addToWorkStats,
  MAX_UNFINISHED_ORDERS,
  putOrder,
  requireOrder,
  workStatsOf,
} from './order.ts';

export const acceptWork = defineAction({
  name: 'acceptWork',
  summary: 'Take an open order: the first valid taker is bound to it.',
  grant: { AGENT: 'base' },
  payload: Type.Object({ orderId: RecordId, agentId: ActorId }, { additionalProperties: false }),
  actor: 'agentId',
  errors: [
    'AGENT_UNKNOWN',
    'WORK_ORDER_UNKNOWN',
    'WORK_ORDER_NOT_OPEN',
    'REQUESTER_IS_WORKER',
    'WORK_TARGETED',
    'WORK_UNFINISHED_LIMIT',
  ],
  events: ['WorkAccepted'],

  check({ state }, payload) {
    return requireAcceptable(state, payload);
  },

  apply({ state, block, index, emit }, { orderId, agentId }, order) {
    addToWorkStats(state, agentId, { unfinishedOrders: 1 });
    putOrder(state, order, {
      ...order,
      status: 'ACCEPTED',
      phase: 'ACCEPTED',
      workerId: agentId,
      acceptedAt: { height: block.height, index },
      deadline: deadlineAfter(block, order.deliverWithin),
    });
    emit('WorkAccepted', { orderId, requesterId: order.requesterId, workerId: agentId });
  },
});

/**
 * The order, where this agent may take it now. Who only wants to know asks the same.
 * @throws RuleError AGENT_UNKNOWN, WORK_ORDER_UNKNOWN, WORK_ORDER_NOT_OPEN, REQUESTER_IS_WORKER, WORK_TARGETED,
 * WORK_UNFINISHED_LIMIT
 */
export function requireAcceptable(
  state: ReadableState,
  { orderId, agentId }: { orderId: string; agentId: string },
): WorkOrderRecord {
  // An operator may do every action, but only agents work.
  if (!state.get('agent', agentId)) {
    throw new RuleError('AGENT_UNKNOWN', { path: '/payload/agentId' });
  }
  const order = requireOrder(state, orderId);
  const path = '/payload/orderId';
  if (order.status !== 'OPEN') throw new RuleError('WORK_ORDER_NOT_OPEN', { path });
  if (order.requesterId === agentId) throw new RuleError('REQUESTER_IS_WORKER', { path });
  if (order.agentId !== null && order.agentId !== agentId) {
    throw new RuleError('WORK_TARGETED', { path });
  }
  if (workStatsOf(state, agentId).unfinishedOrders >= MAX_UNFINISHED_ORDERS) {
    throw new RuleError('WORK_UNFINISHED_LIMIT', { path: '/payload/agentId' });
  }
  return order;
}
