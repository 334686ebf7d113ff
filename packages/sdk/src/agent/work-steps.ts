/** The steps of a job one by one, for whoever decides each by itself: a person at a terminal, or a model. */
import { NetError } from '../http.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import { bytesOf, requireMet, sealResult, submitResult, type JobResult } from './work-job.ts';
import { fetchScope, type WorkOffer } from './work-offer.ts';

export async function offerOf(parts: AgentParts, orderId: string): Promise<WorkOffer> {
  const order = await requireOrder(parts, orderId);
  const { scope, sealed } = await fetchScope(parts, order);
  return { order, scope, sealed };
}

/** @returns the hash of what is delivered, now or before */
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
    // An earlier call whose answer was lost may have been faster; sealed anew, its bytes were others.
    const earlier = error instanceof NetError ? await deliveredHash(parts, orderId) : null;
    if (earlier === null) throw error;
    return earlier;
  } finally {
    // The chain itself knows what was delivered.
    await parts.outbox.forget(`submit/${orderId}`);
  }
}

async function deliveredHash(parts: AgentParts, orderId: string): Promise<string | null> {
  const order = await requireOrder(parts, orderId);
  return order.workerId === parts.agentId ? (order.result?.deliverableHash ?? null) : null;
}

/** @throws NetError where there is none */
async function requireOrder({ line }: AgentParts, orderId: string): Promise<WorkOrder> {
  const order = await line.order(orderId);
  return order ?? (await line.read('/v1/work-orders/{orderId}', { orderId })).order;
}
