import { deadlineBeyond } from '../../deadline.ts';
import { setTimer } from '../../timers.ts';
import { positionOf, type WriteContext } from '../../transition.ts';
import type { ApplicationRecord, InvitationRecord } from './records.ts';

export type Approval = Pick<
  InvitationRecord,
  'invitationId' | 'capabilities' | 'independenceGroup' | 'expiresAtHeight' | 'approvedBy'
>;

/** Creates an invitation, whose id is the hash of the approving transition. */
export function invite(
  context: WriteContext,
  application: ApplicationRecord,
  approval: Approval,
): void {
  const { state, emit } = context;
  const { applicationId, actorId, role, publicKeyHash } = application;
  const { invitationId, expiresAtHeight, independenceGroup, approvedBy } = approval;
  state.put('invitation', invitationId, {
    ...approval,
    applicationId,
    actorId,
    role,
    publicKeyHash,
    status: 'OPEN',
    issuedAt: positionOf(context),
  });
  state.put('application', applicationId, { ...application, status: 'APPROVED', invitationId });
  // The application ends with its invitation.
  setTimer(state, 'expireOperatorApplication', applicationId, deadlineBeyond(expiresAtHeight));
  emit('OperatorInvitationCreated', {
    actorId,
    applicationId,
    approvedBy,
    expiresAtHeight,
    independenceGroup,
    invitationId,
    role,
  });
}
