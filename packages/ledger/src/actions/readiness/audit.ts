import type { AuditEngagementRecord, AuditFindingRecord, FindingSeverity } from './records.ts';
import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import { hasExpired } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { WritableState } from '../../state.ts';
import type { CheckContext } from '../../transition.ts';

export const OPEN_FINDING_COUNTERS: Readonly<
  Record<Exclude<FindingSeverity, 'INFO'>, CounterName>
> = {
  CRITICAL: 'open-findings-critical',
  HIGH: 'open-findings-high',
  MEDIUM: 'open-findings-medium',
  LOW: 'open-findings-low',
};

/** True for findings that block the audit and mainnet until an auditor confirms the answer. */
export function isSevere(severity: FindingSeverity): boolean {
  return severity === 'CRITICAL' || severity === 'HIGH';
}

export function isConfirmable({ open, severity, response }: AuditFindingRecord): boolean {
  const answer = response?.response;
  return open && isSevere(severity) && (answer === 'FIXED' || answer === 'DISPUTED');
}

/** True while an audit is open. After a timely report, only an operator closes it. */
function isOpenAt(
  { status, findings, dueAtHeight }: AuditEngagementRecord,
  height: number,
): boolean {
  return status === 'OPEN' && (findings > 0 || !hasExpired(dueAtHeight, height));
}

export function requireOpenEngagement(
  { state, block }: Pick<CheckContext, 'state' | 'block'>,
  engagementId: string,
): AuditEngagementRecord {
  const path = '/payload/engagementId';
  const engagement = state.get('audit-engagement', engagementId);
  requireThat(engagement, 'AUDIT_ENGAGEMENT_UNKNOWN', path);
  requireThat(isOpenAt(engagement, block.height), 'AUDIT_ENGAGEMENT_CLOSED', path);
  return engagement;
}

/** Writes a finding and its counts. INFO findings never count as open. */
export function putFinding(
  state: WritableState,
  before: AuditFindingRecord | null,
  after: AuditFindingRecord,
): void {
  state.put('audit-finding', after.findingId, after);
  const { severity, engagementId } = after;
  const change = Number(after.open) - Number(before?.open ?? false);
  if (change === 0 || severity === 'INFO') return;
  count(state, OPEN_FINDING_COUNTERS[severity], change);
  const engagement = state.get('audit-engagement', engagementId);
  if (!engagement) throw new Error(`there is no engagement ${engagementId}`);
  const open = { ...engagement.open, [severity]: engagement.open[severity] + change };
  state.put('audit-engagement', engagementId, { ...engagement, open });
}
