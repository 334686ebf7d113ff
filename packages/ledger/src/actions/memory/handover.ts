/** Handovers: one open at most per agent; the active runtime changes only when one is finalized. */
import type { ChainPosition } from '@netd/protocol';
import type { MemoryHandoverRecord } from './records.ts';
import { count } from '../../counters.ts';
import { RuleError } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';

/** Heights a handover may stay open: a large memory takes its time to move. */
export const MAX_HANDOVER_DISTANCE = 20_000;

const isOpen = ({ status }: MemoryHandoverRecord): boolean =>
  status === 'PREPARED' || status === 'TARGET_RESTORED';

export function handoverDueAt(record: MemoryHandoverRecord): number | null {
  return isOpen(record) ? record.expiresAtHeight + 1 : null;
}

/** The handover as it stands at a current height: one that nobody ended in time is aborted. */
export function handoverAt(record: MemoryHandoverRecord, current: number): MemoryHandoverRecord {
  return isOpen(record) && record.expiresAtHeight <= current
    ? { ...record, status: 'ABORTED', abortCause: 'EXPIRY' }
    : record;
}

/** @throws RuleError MEMORY_HANDOVER_UNKNOWN */
export function requireHandover(
  state: ReadableState,
  handoverId: string,
  current: number,
): MemoryHandoverRecord {
  const record = state.get('memory-handover', handoverId);
  if (!record) throw new RuleError('MEMORY_HANDOVER_UNKNOWN', { path: '/payload/handoverId' });
  return handoverAt(record, current);
}

/**
 * A handover of the agent in one of the statuses.
 * @throws RuleError MEMORY_HANDOVER_UNKNOWN, NOT_HANDOVER_AGENT, MEMORY_HANDOVER_STATUS
 */
export function requireOwnHandover(
  state: ReadableState,
  { agentId, handoverId }: { agentId: string; handoverId: string },
  current: number,
  statuses: readonly MemoryHandoverRecord['status'][],
): MemoryHandoverRecord {
  const handover = requireHandover(state, handoverId, current);
  if (handover.agentId !== agentId) {
    throw new RuleError('NOT_HANDOVER_AGENT', { path: '/payload/agentId' });
  }
  requireStatus(handover, statuses);
  return handover;
}

/** @throws RuleError MEMORY_HANDOVER_STATUS */
export function requireStatus(
  { status, abortCause }: MemoryHandoverRecord,
  statuses: readonly MemoryHandoverRecord['status'][],
): void {
  if (statuses.includes(status)) return;
  throw new RuleError('MEMORY_HANDOVER_STATUS', {
    path: '/payload/handoverId',
    message: abortCause === 'EXPIRY' ? 'it has expired' : `it is ${status}`,
  });
}

/** Ends an open handover and lets the agent prepare another one. */
export function endHandover(
  state: WritableState,
  handover: MemoryHandoverRecord,
  end: Pick<MemoryHandoverRecord, 'status' | 'abortCause'> & { endedAt: ChainPosition | null },
): void {
  state.put('memory-handover', handover.handoverId, { ...handover, ...end });
  count(state, 'open-memory-handovers', -1);
  const memory = state.get('memory', handover.agentId);
  if (memory) state.put('memory', handover.agentId, { ...memory, openHandoverId: null });
}

/** An open handover that has expired is aborted. */
export function lapseHandover(state: WritableState, handoverId: string): void {
  const handover = state.get('memory-handover', handoverId);
  if (!handover) return;
  endHandover(state, handover, { status: 'ABORTED', abortCause: 'EXPIRY', endedAt: null });
}
