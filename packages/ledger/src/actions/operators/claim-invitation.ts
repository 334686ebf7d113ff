/** The applicant takes up its invitation: authority, bond and registry record in one transition. */
import type { ErrorCode, InvitationClaim } from '@netd/protocol';
import { AGENT_BASE_SET, hasExpired, type Capability } from '../../authority.ts';
import type { ApplicationRecord, InvitationRecord } from './records.ts';
import type { AuthorityRecord, PolicyRecord } from '../../chain-records.ts';
import { RuleError } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import { installAgent } from '../agents/register-agent.ts';
import { reserveKey } from '../keys/key-change.ts';
import { MAX_ROSTER, rosterOf } from '../work/roster.ts';
import {
  letGo,
  rawKeyHex,
  requireApplicant,
  requireBond,
  requireFreshConsensusKey,
  requireScope,
} from './application.ts';
import { bondAndRegister } from './bonds.ts';
import type { SelfSignedContext } from './submit-application.ts';
import { MAX_VALIDATOR_ROSTER, validatorRoster } from './validator-roster.ts';

export const CLAIM = {
  name: 'InvitationClaim',
  summary: 'Claim an invitation: installs the authority and moves the bond.',
  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_HASH_MISMATCH',
    'SIGNATURE_INVALID',
    'CHAIN_ID_MISMATCH',
    'INVITATION_UNKNOWN',
    'INVITATION_MISMATCH',
    'INVITATION_CLAIMED',
    'INVITATION_WITHDRAWN',
    'INVITATION_EXPIRED',
    'AUTHORITY_REVOKED',
    'AUTHORITY_INACTIVE',
    'APPLICATION_KEY_MISMATCH',
    'ROLE_ALREADY_HELD',
    'KEY_ALREADY_REGISTERED',
    'CAPABILITY_EXPIRED',
    'INSUFFICIENT_BALANCE',
    'VERIFIER_ROSTER_FULL',
    'VALIDATOR_ROSTER_FULL',
  ] satisfies ErrorCode[],
  events: { AuthorityInstalled: 'An actor claimed its invitation and has the role now.' },
} as const;

const baseSet: ReadonlySet<string> = new Set(AGENT_BASE_SET);

/** @throws RuleError with one of CLAIM.errors, before anything is written */
export function claimInvitation(
  claim: InvitationClaim,
  { state, policy, position, emit }: SelfSignedContext,
): void {
  const current = position.height - 1;
  const { invitation, application, authority } = requireClaimable(state, policy, claim, current);
  const { actorId, role, publicKey, publicKeyHash, profile } = application;
  const { invitationId, capabilities, independenceGroup } = invitation;

  const held = (authority?.capabilities ?? []).filter((one) => !hasExpired(one, current));
  state.put('authority', actorId, {
    actorId,
    publicKey: authority?.publicKey ?? publicKey,
    publicKeyHash: authority?.publicKeyHash ?? publicKeyHash,
    roles: [...new Set([...(authority?.roles ?? []), role])],
    capabilities: [...held, ...granted(application, capabilities)],
    active: true,
  });
  if (!authority) reserveKey(state, publicKey, actorId);
  if (role === 'AGENT') installAgent(state, actorId, profile.description ?? '', null, position);
  if (!state.get('account', actorId)) {
    state.put('account', actorId, { accountId: actorId, balance: 0, faucetReceived: 0 });
  }
  const bond = bondAndRegister(state, application, invitation, position);
  state.put('invitation', invitationId, { ...invitation, status: 'CLAIMED' });
  state.put('application', application.applicationId, { ...application, status: 'CLAIMED' });
  letGo(state, application);
  emit('AuthorityInstalled', {
    actorId,
    role,
    invitationId,
    applicationId: application.applicationId,
    capabilities,
    bond,
    independenceGroup,
  });
}

/** The capabilities of an agent are bound to itself, and its base set comes with the role. */
function granted({ actorId, role }: ApplicationRecord, scope: readonly Capability[]): Capability[] {
  if (role !== 'AGENT') return [...scope];
  return scope
    .filter(({ action }) => !baseSet.has(action))
    .map((capability) => ({ ...capability, agentId: actorId }));
}

function requireClaimable(
  state: ReadableState,
  policy: PolicyRecord,
  { invitationId, actorId, publicKey }: InvitationClaim,
  current: number,
): {
  invitation: InvitationRecord;
  application: ApplicationRecord;
  authority: AuthorityRecord | null;
} {
  const path = '/invitationId';
  const invitation = state.get('invitation', invitationId);
  const application = invitation && state.get('application', invitation.applicationId);
  if (!invitation || !application) throw new RuleError('INVITATION_UNKNOWN', { path });
  if (invitation.actorId !== actorId || rawKeyHex(application.publicKey) !== rawKeyHex(publicKey)) {
    throw new RuleError('INVITATION_MISMATCH', { path });
  }
  if (invitation.status === 'CLAIMED') throw new RuleError('INVITATION_CLAIMED', { path });
  if (invitation.status === 'WITHDRAWN') throw new RuleError('INVITATION_WITHDRAWN', { path });
  if (invitation.expiresAtHeight <= current) {
    throw new RuleError('INVITATION_EXPIRED', {
      path,
      message: `the current height is ${current}`,
    });
  }
  const authority = requireApplicant(state, application, current, '/actorId');
  requireScope(invitation.capabilities, application.role, policy, current, path);
  const { consensusPublicKey } = application.profile;
  if (consensusPublicKey !== undefined) {
    requireFreshConsensusKey(state, consensusPublicKey, publicKey, path);
  }
  requireBond(state, application, path);
  if (application.role === 'VERIFIER' && rosterOf(state).length >= MAX_ROSTER) {
    throw new RuleError('VERIFIER_ROSTER_FULL', { path });
  }
  if (application.role === 'VALIDATOR' && validatorRoster(state).length >= MAX_VALIDATOR_ROSTER) {
    throw new RuleError('VALIDATOR_ROSTER_FULL', { path });
  }
  return { invitation, application, authority };
}
