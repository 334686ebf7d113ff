/** What the parties of an order can sign in each of its phases. */
import { isReached, type WorkOrderRecord } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';
import { nextBlock } from './opportunity.ts';
import { intentRequest, YOUR_ID, type SignedRequest } from './signed-request.ts';

/** Shows the form only. */
const EXAMPLE_HASH = '0'.repeat(64);

/** What brings an order further that the agent has accepted: its delivery, then its payment. */
export function stepsOfWorker(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  agentId: string,
): SignedRequest[] {
  if (order.workerId !== agentId) return [];
  const further = ['submitWorkResult', 'settleVerifiedWork'];
  return stepsOf(snapshot, order, agentId).filter(({ action }) => further.includes(action));
}

/**
 * The requests of the present phase, beside acceptWork; none once the order has ended.
 * @param settler who would sign what anyone may; without it the reader puts its own id
 */
export function stepsOf(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  settler: string | null = null,
): SignedRequest[] {
  const { orderId, requesterId, workerId } = order;
  const request = (
    action: string,
    actorId: string | null,
    why: string,
    payload: JsonObject = {},
    replace: Record<string, string> = {},
  ): SignedRequest =>
    intentRequest(
      snapshot,
      action,
      { orderId, ...payload },
      { why, replace, ...(actorId === null ? {} : { actorId }) },
    );
  switch (order.phase) {
    case 'OPEN':
      return [request('cancelWorkOrder', requesterId, 'Ends the order with a full refund.')];
    case 'ACCEPTED':
      return [
        request(
          'submitWorkResult',
          workerId,
          'Delivers; evidence is optional, its proofType must be one the order takes.',
          { agentId: workerId, deliverableHash: EXAMPLE_HASH },
          { '/deliverableHash': 'the hash of what you deliver' },
        ),
      ];
    case 'REVIEW':
      return [
        request(
          'voteWork',
          null,
          'Members of the committee who have not voted only.',
          { verifierId: YOUR_ID, vote: 'ACCEPT', evidenceHash: EXAMPLE_HASH },
          {
            '/vote': 'ACCEPT or REJECT, as you found it',
            '/evidenceHash': 'the hash of your reasons',
          },
        ),
      ];
    case 'VERIFIED':
      return order.disputableUntil && isReached(order.disputableUntil, nextBlock(snapshot))
        ? [request('settleVerifiedWork', settler, 'Pays the worker and the verifiers.')]
        : [requesterId, workerId].map((party) =>
            request(
              'openDispute',
              party,
              'Before disputableUntil, with a bond that goes to whoever the order ends in favour of.',
              { reasonHash: EXAMPLE_HASH },
              { '/reasonHash': 'the hash of your reasons' },
            ),
          );
    default:
      return [];
  }
}
