/** Acts on a known order, each once. */
import { contestBondOf, utf8Bytes, type JsonObject, type Receipt } from '@netd/protocol';
import { codeOf } from './agent-error.ts';
import { unetOf } from './amount.ts';
import { actExtended } from './own-acts.ts';
import { SLOW_POLL, type AgentParts, type WorkOrder } from './parts.ts';

/** Milliseconds between polls of a window that should have ended. */
const WINDOW_POLL = 2_000;

/** Returns true if the worker is paid after the dispute window, which has been opened. */
export const isSettleable = ({ phase }: Pick<WorkOrder, 'phase'>): boolean =>
  phase === 'VERIFIED' || phase === 'UNJUDGED';

/** @throws NetError if there is none; AgentError ANSWER_NOT_PROVEN */
export async function requireOrder(
  { retryingClient }: AgentParts,
  orderId: string,
): Promise<WorkOrder> {
  const order = await retryingClient.order(orderId);
  return order ?? (await retryingClient.read('/v1/work-orders/{orderId}', { orderId })).order;
}

/** @throws NetError WORK_ORDER_NOT_ACCEPTED, NOT_WORK_AGENT */
export async function releaseOnce(parts: AgentParts, orderId: string): Promise<Receipt> {
  return once(parts, 'release', 'releaseWork', { orderId });
}

/** @throws NetError WORK_ORDER_NOT_OPEN, NOT_WORK_REQUESTER */
export async function cancelOnce(parts: AgentParts, orderId: string): Promise<Receipt> {
  return once(parts, 'cancel', 'cancelWorkOrder', { orderId });
}

/** Returns the bond of a dispute that must be named; null if it is the network's. */
export const disputeBondOf = ({ rulesVersion, funding }: WorkOrder): number | null =>
  (rulesVersion ?? 1) >= 2 ? contestBondOf(funding) : null;

/** Returns true if this agent must answer a dispute, or the order ends against it. */
export const mustAnswer = ({ phase, dispute }: WorkOrder, agentId: string): boolean =>
  phase === 'CONTESTED' && dispute?.openedBy !== agentId;

/**
 * @param bond the exact bond, '1 NET' or unet; default the bond that the order asks
 * @throws NetError, AgentError BLOB_NOT_STORED
 */
export async function disputeOnce(
  parts: AgentParts,
  orderId: string,
  reason: string,
  bond?: string | number,
): Promise<Receipt> {
  const asked =
    bond === undefined ? disputeBondOf(await requireOrder(parts, orderId)) : unetOf(bond);
  const agreed = asked === null ? {} : { bond: asked };
  const { hash: reasonHash } = await parts.origins.put(utf8Bytes(reason));
  return once(parts, 'dispute', 'openDispute', { orderId, reasonHash, ...agreed });
}

/** @returns milliseconds until the next check, 0 for at once; the receipt if this call settled it */
export async function settleWhenDue(
  parts: AgentParts,
  { orderId, disputableUntil }: WorkOrder,
): Promise<{ wait: number; receipt: Receipt | null }> {
  const left = Date.parse(disputableUntil?.time ?? '') - parts.time.now();
  // Clocks differ a little, so the chain decides.
  if (left > 0) return { wait: Math.min(left + 100, SLOW_POLL), receipt: null };
  try {
    const receipt = await once(parts, 'settle', 'settleVerifiedWork', { orderId });
    return { wait: 0, receipt };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'DISPUTE_WINDOW_OPEN') return { wait: WINDOW_POLL, receipt: null };
    // Another actor has settled or disputed it.
    if (code !== 'WORK_NOT_VERIFIED') throw error;
  }
  return { wait: 0, receipt: null };
}

async function once(
  parts: AgentParts,
  step: 'release' | 'cancel' | 'dispute' | 'settle',
  action: string,
  payload: JsonObject & { orderId: string },
): Promise<Receipt> {
  return actExtended(parts, `${step}/${payload.orderId}`, action, payload);
}
