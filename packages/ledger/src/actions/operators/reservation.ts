/**
 * An unfinished application reserves its actor's name and key. Any action that ends one must call
 * `endApplication`.
 */
import { nameOf } from '@netd/protocol';
import { deadlineBeyond } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { applicationStatus, isUnfinished, rawKeyHex } from './application.ts';
import type { ApplicationRecord, ApplicationStatus, InvitationRecord } from './records.ts';

const reservedBy = ({ actorId, publicKey }: ApplicationRecord): string[] => [
  `actor:${nameOf(actorId)}`,
  `key:${rawKeyHex(publicKey)}`,
];

export function reservationOf(
  state: ReadableState,
  what: string,
  height: number,
): ApplicationRecord | null {
  const reservation = state.get('application-reservation', what);
  const application = reservation && state.get('application', reservation.applicationId);
  if (!application) return null;
  return isUnfinished(applicationStatus(application, height)) ? application : null;
}

export function requireFreeId(
  state: ReadableState,
  actorId: string,
  rawKey: string,
  height: number,
): void {
  const application = reservationOf(state, `actor:${nameOf(actorId)}`, height);
  requireThat(
    !application || rawKeyHex(application.publicKey) === rawKey,
    'ACTOR_ID_RESERVED',
    '/actorId',
    () => `it holds it until height ${application?.expiresAtHeight}`,
  );
}

export function putApplication(state: WritableState, application: ApplicationRecord): void {
  const { applicationId, expiresAtHeight } = application;
  state.put('application', applicationId, application);
  for (const what of reservedBy(application)) {
    state.put('application-reservation', what, { applicationId });
  }
  setTimer(state, 'expireOperatorApplication', applicationId, deadlineBeyond(expiresAtHeight));
}

export function endApplication(
  state: WritableState,
  application: ApplicationRecord,
  end: {
    status: Exclude<ApplicationStatus, 'PENDING' | 'APPROVED'>;
    reason?: string | null;
    invitation: InvitationRecord['status'];
  },
): void {
  const { applicationId, invitationId } = application;
  const reason = end.reason ?? null;
  state.put('application', applicationId, { ...application, status: end.status, reason });
  const invitation = invitationId === null ? undefined : state.get('invitation', invitationId);
  if (invitation) {
    state.put('invitation', invitation.invitationId, { ...invitation, status: end.invitation });
  }
  for (const what of reservedBy(application)) {
    // A later application may have reserved the same name or key.
    if (state.get('application-reservation', what)?.applicationId === applicationId) {
      state.delete('application-reservation', what);
    }
  }
  clearTimer(state, 'expireOperatorApplication', applicationId);
}
