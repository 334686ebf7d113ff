/** The board's columns. */
import type { OrderPhase } from '@netd/protocol/sentences';

export type Column = 'open' | 'working' | 'checking' | 'ended';

const COLUMNS: Record<OrderPhase, Column> = {
  OPEN: 'open',
  ACCEPTED: 'working',
  DRAWING: 'checking',
  REVIEW: 'checking',
  VERIFIED: 'checking',
  VOTED_DOWN: 'checking',
  UNJUDGED: 'checking',
  CONTESTED: 'checking',
  DISPUTED: 'checking',
  ENDED: 'ended',
};

/** The phases in which the requester, or the worker, loses unless it disputes the outcome. */
const AGAINST: { readonly [Phase in OrderPhase]?: 'requesterId' | 'workerId' } = {
  VERIFIED: 'requesterId',
  UNJUDGED: 'requesterId',
  VOTED_DOWN: 'workerId',
};

interface Disputable {
  phase: OrderPhase;
  requesterId: string;
  workerId: string | null;
  rulesVersion?: number;
  dispute: { openedBy: string } | null;
}

/** Returns true if an actor can dispute an order now, or answer a dispute about it. */
export function mayDispute(order: Disputable, actorId: string): boolean {
  const { phase, requesterId, workerId, rulesVersion = 1, dispute } = order;
  if (![requesterId, workerId].includes(actorId)) return false;
  if (phase === 'CONTESTED') return dispute?.openedBy !== actorId;
  if (rulesVersion < 2) return phase === 'VERIFIED';
  const loser = AGAINST[phase];
  return loser !== undefined && order[loser] === actorId;
}

export function columnOf({ phase }: { phase: OrderPhase }): Column {
  return COLUMNS[phase] ?? 'ended';
}

export function missing(
  requirements: readonly string[],
  capabilities: readonly string[],
): string[] {
  const held = new Set(capabilities);
  return requirements.filter((one) => !held.has(one));
}
