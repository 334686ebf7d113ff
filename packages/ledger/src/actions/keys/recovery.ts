import { deadlineAfter, isReached, type Now } from '../../deadline.ts';
import { clearTimer } from '../../timers.ts';
import type { CheckContext, WriteContext } from '../../transition.ts';
import type { Guardians, RecoveryRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';

export const MAX_GUARDIANS = 16;
/** Requests that an owner may cancel: enough against a rash guardian, too few for a thief to hold out. */
export const MAX_CANCELLATIONS = 2;

export type PendingRecovery = NonNullable<RecoveryRecord['request']>;

/** Returns the guardians in force now, even if the timer that replaces them is late. */
export function guardiansInForce(recovery: RecoveryRecord, now: Now): Guardians {
  const next = recovery.nextGuardians;
  if (next && isReached(next.effectiveAt, now)) {
    return { agentIds: next.agentIds, threshold: next.threshold };
  }
  return recovery.guardians;
}

/**
 * True if the delay passed without enough approvals. Another request may then replace this one, because an
 * owner without the key cannot cancel it.
 */
export function isRequestExpired({ expiresAt }: PendingRecovery, now: Now): boolean {
  return expiresAt !== null && isReached(expiresAt, now);
}

export function approvedRequest(
  { state, block, policy }: Pick<WriteContext, 'state' | 'block' | 'policy'>,
  agentId: string,
  request: PendingRecovery,
): PendingRecovery {
  clearTimer(state, 'expireAgentRecovery', agentId);
  return {
    ...request,
    expiresAt: null,
    executableAt: deadlineAfter(block, policy.recoveryDelay),
  };
}

export function emitApproved(
  { emit }: Pick<WriteContext, 'emit'>,
  recoveringAgentId: string,
  { requestId, guardians, executableAt }: PendingRecovery,
): void {
  emit('AgentRecoveryApproved', {
    executableAt,
    guardians: guardians.agentIds,
    recoveringAgentId,
    requestId,
  });
}

export function requirePending(
  { state, block }: Pick<CheckContext, 'state' | 'block'>,
  agentId: string,
  requestId: string,
): { recovery: RecoveryRecord; request: PendingRecovery } {
  const recovery = state.get('recovery', agentId);
  const request = recovery?.request;
  requireThat(
    recovery && request?.requestId === requestId && !isRequestExpired(request, block),
    'RECOVERY_NOT_FOUND',
    '/payload/requestId',
  );
  return { recovery, request };
}

export function requireGuardian(guardians: Guardians, agentId: string): void {
  requireThat(guardians.agentIds.includes(agentId), 'NOT_A_GUARDIAN', '/payload/agentId');
}
