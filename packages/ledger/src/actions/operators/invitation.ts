/** What approval writes, whether an operator or the published bounds approved. */
import type { ApplicationRecord, InvitationRecord } from './records.ts';
import type { WritableState } from '../../state.ts';

export type Approval = Pick<
  InvitationRecord,
  | 'invitationId'
  | 'capabilities'
  | 'independenceGroup'
  | 'expiresAtHeight'
  | 'approvedBy'
  | 'issuedAt'
> & { emit: (type: string, data: Record<string, unknown>) => void };

/** Makes the one invitation of an application; its id is the hash of the transition that approved. */
export function invite(
  state: WritableState,
  application: ApplicationRecord,
  { emit, ...approval }: Approval,
): void {
  const { applicationId, actorId, role, publicKeyHash } = application;
  const { invitationId, expiresAtHeight, independenceGroup, approvedBy } = approval;
  state.put('invitation', invitationId, {
    ...approval,
    applicationId,
    actorId,
    role,
    publicKeyHash,
    status: 'OPEN',
  });
  state.put('application', applicationId, { ...application, status: 'APPROVED', invitationId });
  emit('OperatorInvitationCreated', {
    invitationId,
    applicationId,
    actorId,
    role,
    independenceGroup,
    expiresAtHeight,
    approvedBy,
  });
}
