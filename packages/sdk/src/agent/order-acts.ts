import { judgeInTime, proofOf, type WorkScope } from '@netd/formats';
import {
  contestBondOf,
  contestersOf,
  utf8Bytes,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import type { NetAmount } from '../amount.ts';
import { unetOf } from './amount.ts';
import { NetError } from '../http.ts';
import { actExtended } from './own-acts.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';

export async function requireOrder(
  { retryingClient }: AgentParts,
  orderId: string,
): Promise<WorkOrder> {
  const order = await retryingClient.order(orderId);
  return order ?? (await retryingClient.read('/v1/work-orders/{orderId}', { orderId })).order;
}

export async function releaseOnce(parts: AgentParts, orderId: string): Promise<Receipt> {
  return once(parts, 'release', 'releaseWork', { orderId });
}

export async function cancelOnce(parts: AgentParts, orderId: string): Promise<Receipt> {
  return once(parts, 'cancel', 'cancelWorkOrder', { orderId });
}

/** Returns the bond that a dispute must name; null if the network's policy sets it. */
export const disputeBondOf = ({ rulesVersion, funding }: WorkOrder): number | null =>
  (rulesVersion ?? 1) >= 2 ? contestBondOf(funding) : null;

/** True if the order ends against this agent unless it answers the dispute. */
export const mustAnswer = (order: WorkOrder, agentId: string): boolean =>
  order.phase === 'CONTESTED' && contestersOf(order).includes(agentId);

export async function disputeOnce(
  parts: AgentParts,
  orderId: string,
  reason: string,
  bond?: NetAmount | number,
): Promise<Receipt> {
  const asked =
    bond === undefined ? disputeBondOf(await requireOrder(parts, orderId)) : unetOf(bond, 'bond');
  const agreed = asked === null ? {} : { bond: asked };
  const { hash: reasonHash } = await parts.origins.put(utf8Bytes(reason));
  return once(parts, 'dispute', 'openDispute', { orderId, reasonHash, ...agreed });
}

export async function settleOnce(parts: AgentParts, orderId: string): Promise<Receipt> {
  return once(parts, 'settle', 'settleVerifiedWork', { orderId });
}

/**
 * Proves the verdict on a result that this agent has judged.
 * @returns false if the order or its conditions cannot be proven, or the chain refuses the proof
 * @throws NetError PROOF_BLOCK_FULL if only a later block has room for the proof
 */
export async function proveOnce(
  parts: AgentParts,
  { orderId, status, acceptanceHash }: WorkOrder,
  scope: WorkScope,
  result: Uint8Array,
): Promise<boolean> {
  if (acceptanceHash === undefined || status !== 'VERIFYING') return false;
  const proof = proofOf(scope, result);
  if (proof === null) return false;
  try {
    await once(parts, 'prove', 'proveVerdict', { orderId, ...proof });
    return true;
  } catch (error) {
    if (!(error instanceof NetError) || error.code === 'PROOF_BLOCK_FULL') throw error;
    parts.events.warn(error, orderId);
    return false;
  }
}

/**
 * Proves that a result is unmet. A proof judges the conditions and not the size, so that it would pay for a result
 * that is only too large.
 * @returns as `proveOnce`; false too if the result meets the conditions
 */
export async function disproveOnce(
  parts: AgentParts,
  order: WorkOrder,
  scope: WorkScope,
  result: Uint8Array,
): Promise<boolean> {
  const deliverable = { ...scope.deliverable, maxBytes: result.length };
  const judgement = await judgeInTime({ ...scope, deliverable }, result);
  return judgement?.verdict === 'unmet' && proveOnce(parts, order, scope, result);
}

/** Returns an order's facts for a machine, without members that a node has added. */
export function observed({ agentId, time }: AgentParts, order: WorkOrder): object {
  const { orderId, status, phase, reason, jobType, workerId, releasedBy, disputableUntil } = order;
  const left = Date.parse(disputableUntil?.time ?? '') - time.now();
  return {
    orderId,
    status,
    phase,
    reason,
    jobType,
    due: left > 0 ? Math.min(left + 100, SLOW_POLL) : 0,
    worker: workerId === agentId ? 'me' : workerId && 'other',
    released: releasedBy?.includes(agentId) ?? false,
    disputed: Boolean(order.dispute),
    provable: order.acceptanceHash !== undefined,
    mustAnswer: mustAnswer(order, agentId),
  };
}

async function once(
  parts: AgentParts,
  step: 'release' | 'cancel' | 'dispute' | 'settle' | 'prove',
  action: string,
  payload: JsonObject & { orderId: string },
): Promise<Receipt> {
  return actExtended(parts, `${step}/${payload.orderId}`, action, payload);
}
