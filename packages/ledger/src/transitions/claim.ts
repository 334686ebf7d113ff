import { InvitationClaim } from '@netd/protocol';
import { requireRecipient } from '../accounting.ts';
import { installAgent } from '../actions/agents/install-agent.ts';
import { namesPolicyOf } from '../name-price.ts';
import { reserveKey } from '../known-keys.ts';
import {
  rawKeyHex,
  requireApplicant,
  requireConsensusKey,
  requireScope,
} from '../actions/operators/application.ts';
import { bondAndRegister, requireBond } from '../actions/operators/bonds.ts';
import type { ApplicationRecord, InvitationRecord } from '../actions/operators/records.ts';
import { endApplication } from '../actions/operators/reservation.ts';
import { MAX_VALIDATOR_ROSTER, validatorRoster } from '../actions/operators/validator-roster.ts';
import { MAX_ROSTER, rosterOf } from '../actions/operators/verifier-roster.ts';
import { lastingCapabilities, putAuthority } from '../authority.ts';
import type { Capability } from '../capability.ts';
import type { AuthorityRecord } from '../chain-records.ts';
import { requireLastHeight } from '../deadline.ts';
import type { Grants } from '../grants.ts';
import { takeName } from '../names.ts';
import { requireThat } from '../rule-error.ts';
import { requireSelfSigned, SELF_SIGNED_ERRORS } from '../self-signed.ts';
import type { ReadableState } from '../state.ts';
import { defineTransition, positionOf, type CheckContext } from '../transition.ts';

interface Claimable {
  invitation: InvitationRecord;
  application: ApplicationRecord;
  authority: AuthorityRecord | null;
}

export const claim = defineTransition<InvitationClaim, Claimable>({
  kind: 'claim',
  name: 'InvitationClaim',
  summary: 'Claim an invitation: installs the authority and moves the bond.',
  envelope: InvitationClaim,
  errors: [
    ...SELF_SIGNED_ERRORS,
    'INVITATION_UNKNOWN',
    'INVITATION_MISMATCH',
    'INVITATION_CLAIMED',
    'INVITATION_WITHDRAWN',
    'INVITATION_EXPIRED',
    'AUTHORITY_REVOKED',
    'AUTHORITY_INACTIVE',
    'APPLICATION_KEY_MISMATCH',
    'ROLE_ALREADY_HELD',
    'ROLE_UNBONDING',
    'KEY_ALREADY_REGISTERED',
    'CAPABILITY_EXPIRED',
    'INSUFFICIENT_BALANCE',
    'RECIPIENT_UNKNOWN',
    'AGENT_RETIRED',
    'VERIFIER_ROSTER_FULL',
    'VALIDATOR_ROSTER_FULL',
  ],
  events: ['AuthorityInstalled'],
  duplicate: { code: 'INVITATION_CLAIMED', path: '/invitationId' },

  check(context, submitted) {
    requireSelfSigned(context, submitted);
    const { state } = context;
    const path = '/invitationId';
    const { invitation, application } = requireInvitation(context, submitted.envelope);
    const authority = requireApplicant(context, application, '/actorId');
    const { role } = application;
    requireScope(context, { role, capabilities: invitation.capabilities }, path);
    requireConsensusKey(state, application, path);
    requireBond(state, application, path);
    requireRoom(state, application);
    const { payoutActorId } = submitted.envelope;
    if (payoutActorId !== undefined) requireRecipient(state, payoutActorId, '/payoutActorId');
    return { invitation, application, authority };
  },

  apply(context, { payoutActorId }, { invitation, application, authority }) {
    const { state, policy, grants, block, emit } = context;
    const { actorId, role, publicKey, publicKeyHash, profile } = application;
    const { invitationId, capabilities, independenceGroup } = invitation;
    const held = authority ? lastingCapabilities(state, authority, block.height) : [];
    putAuthority(state, {
      active: true,
      actorId,
      capabilities: [...held, ...granted(grants, application, capabilities)],
      publicKey: authority?.publicKey ?? publicKey,
      publicKeyHash: authority?.publicKeyHash ?? publicKeyHash,
      roles: [...new Set([...(authority?.roles ?? []), role])],
    });
    const workBits =
      invitation.approvedBy === null || namesPolicyOf(policy).price === 'free'
        ? application.workBits
        : 0;
    if (!authority) {
      takeName(state, actorId, workBits);
      reserveKey(state, publicKey, actorId);
    }
    const installedAt = positionOf(context);
    if (role === 'AGENT') {
      const { description = '' } = profile;
      const agent = { agentId: actorId, description, referrerAgentId: null, workBits };
      installAgent(state, agent, installedAt);
    }
    if (!state.get('account', actorId)) {
      state.put('account', actorId, { accountId: actorId, balance: 0, faucetReceived: 0 });
    }
    if (payoutActorId !== undefined) state.put('payout', actorId, { actorId, payoutActorId });
    const bond = bondAndRegister(state, application, invitation, installedAt);
    endApplication(state, application, { status: 'CLAIMED', invitation: 'CLAIMED' });
    emit('AuthorityInstalled', {
      actorId,
      applicationId: application.applicationId,
      bond,
      capabilities,
      independenceGroup,
      invitationId,
      payoutActorId: payoutActorId ?? null,
      role,
    });
  },
});

/** Binds an agent's capabilities to itself. The base set comes with the role. */
function granted(
  { base }: Grants,
  { actorId, role }: ApplicationRecord,
  scope: readonly Capability[],
): Capability[] {
  if (role !== 'AGENT') return [...scope];
  return scope
    .filter(({ action }) => !base.has(action))
    .map(({ action, ...bounds }) => ({ action, agentId: actorId, ...bounds }));
}

function requireInvitation(
  { state, block }: Pick<CheckContext, 'state' | 'block'>,
  { invitationId, actorId, publicKey }: InvitationClaim,
): Pick<Claimable, 'invitation' | 'application'> {
  const path = '/invitationId';
  const invitation = state.get('invitation', invitationId);
  const application = invitation && state.get('application', invitation.applicationId);
  requireThat(invitation && application, 'INVITATION_UNKNOWN', path);
  requireThat(
    invitation.actorId === actorId && rawKeyHex(application.publicKey) === rawKeyHex(publicKey),
    'INVITATION_MISMATCH',
    path,
  );
  requireThat(invitation.status !== 'CLAIMED', 'INVITATION_CLAIMED', path);
  requireThat(invitation.status !== 'WITHDRAWN', 'INVITATION_WITHDRAWN', path);
  // The height counts even if its timer is late.
  requireThat(invitation.status !== 'EXPIRED', 'INVITATION_EXPIRED', path);
  requireLastHeight(invitation.expiresAtHeight, block, { path, passed: 'INVITATION_EXPIRED' });
  return { invitation, application };
}

function requireRoom(state: ReadableState, { actorId, role }: ApplicationRecord): void {
  const path = '/invitationId';
  const isIn = (record: { active: boolean } | undefined): boolean => record?.active === true;
  requireThat(
    role !== 'VERIFIER' ||
      isIn(state.get('verifier', actorId)) ||
      rosterOf(state).length < MAX_ROSTER,
    'VERIFIER_ROSTER_FULL',
    path,
  );
  requireThat(
    role !== 'VALIDATOR' ||
      isIn(state.get('validator-candidate', actorId)) ||
      validatorRoster(state).length < MAX_VALIDATOR_ROSTER,
    'VALIDATOR_ROSTER_FULL',
    path,
  );
}
