import { netText } from '@netd/protocol';
import type { NetAmount } from '../amount.ts';
import { NetError } from '../http.ts';
import { AgentError } from './agent-error.ts';
import { unetOf } from './amount.ts';
import { requireOrder } from './order-acts.ts';
import { actOnce } from './own-acts.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import { bytesOf, requireMet, sealResult, submitResult, type JobResult } from './work-job.ts';
import { fetchScope, type WorkOffer } from './work-offer.ts';

export async function offerOf(parts: AgentParts, orderId: string): Promise<WorkOffer> {
  const order = await requireOrder(parts, orderId);
  const { scope, sealed } = await fetchScope(parts, order);
  return { order, scope, sealed };
}

export async function acceptOnce(
  parts: AgentParts,
  orderId: string,
  workerBond: NetAmount | number,
): Promise<WorkOrder> {
  const { agentId } = parts;
  const agreed = unetOf(workerBond, 'workerBond');
  const order = await requireOrder(parts, orderId);
  if (order.workerId === agentId) return order;
  if (order.workerBond !== agreed) {
    const detail = `${orderId} asks for ${netText(order.workerBond)}, but ${netText(agreed)} was agreed to`;
    throw new AgentError('BOND_NOT_AGREED', detail);
  }
  // Sign the agreed bond, even if the node now reports another one.
  const bond = agreed > 0 ? { workerBond: agreed } : {};
  try {
    const act = { id: `accept-${orderId}`, isNamed: false };
    await actOnce(parts, 'acceptWork', { orderId, agentId, ...bond }, act);
  } catch (error) {
    // An earlier call without an answer may have succeeded.
    const isOurs = (await requireOrder(parts, orderId)).workerId === agentId;
    if (!(error instanceof NetError) || !isOurs) throw error;
  }
  return requireOrder(parts, orderId);
}

export async function deliverOnce(
  parts: AgentParts,
  orderId: string,
  result: JobResult,
): Promise<string> {
  const before = await deliveredHash(parts, orderId);
  if (before !== null) return before;
  const order = await requireOrder(parts, orderId);
  const { bytes: scopeBytes, scope, sealed } = await fetchScope(parts, order);
  const bytes = bytesOf(result);
  await requireMet(scope, bytes);
  const blob = sealed ? await sealResult(parts, order, bytes) : bytes;
  try {
    return await submitResult(parts, order, blob, scopeBytes);
  } catch (error) {
    // Sealing is random, so an earlier call may have succeeded with other bytes.
    const earlier = error instanceof NetError ? await deliveredHash(parts, orderId) : null;
    if (earlier === null) throw error;
    return earlier;
  } finally {
    await parts.outbox.forget(`submit/${orderId}`);
  }
}

async function deliveredHash(parts: AgentParts, orderId: string): Promise<string | null> {
  const order = await requireOrder(parts, orderId);
  return order.workerId === parts.agentId ? (order.result?.deliverableHash ?? null) : null;
}
