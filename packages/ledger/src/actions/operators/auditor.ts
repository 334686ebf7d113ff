import type { AuditorRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';

/** Requires a registered auditor, because an operator's `*` does not make it independent. */
export function requireAuditor(
  state: ReadableState,
  auditorId: string,
  path = '/payload/auditorId',
): AuditorRecord {
  const auditor = state.get('auditor', auditorId);
  requireThat(auditor?.active, 'AUDITOR_UNKNOWN', path);
  return auditor;
}
