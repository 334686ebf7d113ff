/**
 * An unfinished application reserves the name of its actor and its key, until it is claimed, rejected or expires. An action that ends an
 * application calls this, so that nothing stays reserved.
 */
import { deadlineBeyond } from '../../deadline.ts';
import { nameOf } from '../../names.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { clearTimer, setTimer } from '../../timers.ts';
import { applicationStatus, isUnfinished, rawKeyHex } from './application.ts';
import type { ApplicationRecord, ApplicationStatus, InvitationRecord } from './records.ts';

const reservedBy = ({ actorId, publicKey }: ApplicationRecord): string[] => [
  `actor:${nameOf(actorId)}`,
  `key:${rawKeyHex(publicKey)}`,
];

/** The application that reserves a name (`actor:<name>`) or a key (`key:<hex>`) now. */
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

/**
 * An id that an unfinished application of another key holds is not open to registrations and applications.
 * @param height the executing height
 * @throws RuleError ACTOR_ID_RESERVED
 */
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

/** Puts a new application with what it reserves and the timer that ends it. */
export function putApplication(state: WritableState, application: ApplicationRecord): void {
  const { applicationId, expiresAtHeight } = application;
  state.put('application', applicationId, application);
  for (const what of reservedBy(application)) {
    state.put('application-reservation', what, { applicationId });
  }
  setTimer(state, 'expireOperatorApplication', applicationId, deadlineBeyond(expiresAtHeight));
}

/** Ends an application in whatever way: its invitation with it, and nothing is reserved any more. */
export function endApplication(
  state: WritableState,
  application: ApplicationRecord,
  end: {
    status: Exclude<ApplicationStatus, 'PENDING' | 'APPROVED'>;
    reason?: string | null;
    /** The status that its invitation ends with, where it has one. */
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
    // A later application may reserve them by now.
    if (state.get('application-reservation', what)?.applicationId === applicationId) {
      state.delete('application-reservation', what);
    }
  }
  clearTimer(state, 'expireOperatorApplication', applicationId);
}
