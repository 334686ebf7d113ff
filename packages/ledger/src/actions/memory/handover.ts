/** Handovers: at most one open per agent. The active runtime changes only when one is finalized. */
import type { MemoryHandoverRecord } from './records.ts';
import { count } from '../../counters.ts';
import { hasExpired } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { positionOf, type WriteContext } from '../../transition.ts';

/** Heights that a handover may stay open, enough to move a large memory. */
export const MAX_HANDOVER_DISTANCE = 20_000;

const isOpen = ({ status }: MemoryHandoverRecord): boolean =>
  status === 'PREPARED' || status === 'TARGET_RESTORED';

/** Returns the handover as of a height: aborted after its last height, even if the timer is late. */
export function handoverAt(record: MemoryHandoverRecord, height: number): MemoryHandoverRecord {
  return isOpen(record) && hasExpired(record.expiresAtHeight, height)
    ? { ...record, status: 'ABORTED', abortCause: 'EXPIRY' }
    : record;
}

export function requireHandover(
  state: ReadableState,
  handoverId: string,
  height: number,
): MemoryHandoverRecord {
  const record = state.get('memory-handover', handoverId);
  requireThat(record, 'MEMORY_HANDOVER_UNKNOWN', '/payload/handoverId');
  return handoverAt(record, height);
}

export function requireOwnHandover(
  state: ReadableState,
  { agentId, handoverId }: { agentId: string; handoverId: string },
  height: number,
  statuses: readonly MemoryHandoverRecord['status'][],
): MemoryHandoverRecord {
  const handover = requireHandover(state, handoverId, height);
  requireThat(handover.agentId === agentId, 'NOT_HANDOVER_AGENT', '/payload/agentId');
  requireStatus(handover, statuses);
  return handover;
}

export function requireStatus(
  { status, abortCause }: MemoryHandoverRecord,
  statuses: readonly MemoryHandoverRecord['status'][],
): void {
  requireThat(statuses.includes(status), 'MEMORY_HANDOVER_STATUS', '/payload/handoverId', () =>
    abortCause === 'EXPIRY' ? 'it has expired' : `it is ${status}`,
  );
}

export function endHandover(
  context: Pick<WriteContext, 'state' | 'block' | 'index'>,
  handover: MemoryHandoverRecord,
  end: Pick<MemoryHandoverRecord, 'status' | 'abortCause'>,
): void {
  const { state } = context;
  const { handoverId, agentId } = handover;
  state.put('memory-handover', handoverId, { ...handover, ...end, endedAt: positionOf(context) });
  count(state, 'open-memory-handovers', -1);
  const memory = state.get('memory', agentId);
  if (memory) state.put('memory', agentId, { ...memory, openHandoverId: null });
}

export function expireHandover(context: WriteContext, handover: MemoryHandoverRecord): void {
  const { handoverId, agentId, targetProviderId: actorId } = handover;
  endHandover(context, handover, { status: 'ABORTED', abortCause: 'EXPIRY' });
  context.emit('MemoryHandoverExpired', { actorId, agentId, handoverId });
}
