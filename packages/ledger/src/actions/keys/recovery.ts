/** What the recovery actions share: who the guardians are now, and whether a protective delay has passed. */
import type { ProtectiveDelay } from '@netd/protocol';
import type { BlockContext, CheckContext } from '../../action.ts';
import type { Guardians, RecoveryRecord } from './records.ts';
import type { Moment } from '../../chain-records.ts';
import { RuleError } from '../../rule-error.ts';

export const MAX_GUARDIANS = 16;
/** How often a key may cancel recoveries: enough against a rash guardian, too few for a stolen key to hold out. */
export const MAX_CANCELLATIONS = 2;

export type PendingRecovery = NonNullable<RecoveryRecord['request']>;

export function now(block: BlockContext): Moment {
  return { height: block.height, time: block.time };
}

/** Heights are cheap to push and clocks drift: both must have moved on. */
export function hasPassed(since: Moment, delay: ProtectiveDelay, block: BlockContext): boolean {
  return (
    block.height >= since.height + delay.heights && block.time >= since.time + delay.milliseconds
  );
}

/** The guardians that count at this block: announced ones replace the old once the delay has passed. */
export function guardiansInForce(
  recovery: RecoveryRecord,
  { block, policy }: Pick<CheckContext, 'block' | 'policy'>,
): Guardians {
  const next = recovery.nextGuardians;
  if (next && hasPassed(next.announced, policy.recoveryDelay, block)) {
    return { agentIds: next.agentIds, threshold: next.threshold };
  }
  return recovery.guardians;
}

/**
 * Whether the guardians let the protective delay pass without agreeing: then the request no longer stands in the way
 * of another, because an owner who lost the key could not cancel it.
 */
export function hasLapsed(
  request: PendingRecovery,
  { block, policy }: Pick<CheckContext, 'block' | 'policy'>,
): boolean {
  return request.approved === null && hasPassed(request.requested, policy.recoveryDelay, block);
}

/**
 * The pending recovery of an agent that the request id names.
 * @throws RuleError RECOVERY_NOT_FOUND
 */
export function requirePending(
  { state }: Pick<CheckContext, 'state'>,
  agentId: string,
  requestId: string,
): { recovery: RecoveryRecord; request: PendingRecovery } {
  const recovery = state.get('recovery', agentId);
  if (!recovery?.request || recovery.request.requestId !== requestId) {
    throw new RuleError('RECOVERY_NOT_FOUND', { path: '/payload/requestId' });
  }
  return { recovery, request: recovery.request };
}

/** @throws RuleError NOT_A_GUARDIAN */
export function requireGuardian(guardians: Guardians, agentId: string): void {
  if (!guardians.agentIds.includes(agentId)) {
    throw new RuleError('NOT_A_GUARDIAN', { path: '/payload/agentId' });
  }
}
