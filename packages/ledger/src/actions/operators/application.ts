/**
 * Checks of an application, repeated at approval and claim, because keys, balances and authorities change in
 * between.
 */
import {
  Amount,
  bytesToHex,
  bytesToSign,
  compileSchema,
  FreeString,
  msToTimestamp,
  PublicKeyPem,
  rawKeyFromPem,
  RecordId,
  isSignedBy,
} from '@netd/protocol';
import { exactly, Type, type TSchema } from '@netd/protocol/type';
import { isOver, type ApplicationRole, type Capability } from '../../capability.ts';
import type { AuthorityRecord, PolicyRecord } from '../../chain-records.ts';
import { hasExpired } from '../../deadline.ts';
import type { Grants } from '../../grants.ts';
import type { ApplicationProfile, ApplicationRecord, ApplicationStatus } from './records.ts';
import { requireThat, violationsBelow } from '../../rule-error.ts';
import { requireValidKey } from '../../self-signed.ts';
import type { ReadableState } from '../../state.ts';
import type { CheckContext } from '../../transition.ts';

/** Roles that need no operator within the published bounds. */
const OPEN_ROLES: ReadonlySet<ApplicationRole> = new Set(['HUMAN', 'AGENT']);

/** Roles whose independence group an operator states. */
export const GROUPED_ROLES: ReadonlySet<ApplicationRole> = new Set(['VERIFIER', 'AUDITOR']);

const Location = Type.String({ ...RecordId, title: 'ShortId', maxLength: 64 });

export const APPLICATION_PROFILES: Readonly<Record<ApplicationRole, TSchema>> = {
  AGENT: exactly({ description: Type.Optional(Type.String({ maxLength: 280 })) }),
  HUMAN: exactly({}),
  VERIFIER: exactly({ bond: Amount }),
  VALIDATOR: exactly({
    selfBond: Amount,
    consensusPublicKey: PublicKeyPem,
    consensusKeySignature: Type.String({
      ...FreeString,
      description:
        'base64 signature of the consensus key over the canonical JSON of {schema:"NET-CONSENSUS-KEY/1", chainId, actorId, consensusPublicKey}.',
    }),
    faultDomain: Location,
  }),
  RUNTIME_PROVIDER: exactly({ bond: Amount, region: Location, faultDomain: Location }),
  AUDITOR: exactly({}),
  GOVERNOR: exactly({}),
};

const profileViolations = Object.fromEntries(
  Object.entries(APPLICATION_PROFILES).map(([role, schema]) => [
    role,
    compileSchema(schema, { listAll: true }),
  ]),
) as Record<ApplicationRole, ReturnType<typeof compileSchema>>;

/** Returns the key's raw bytes in hex, which are the id of its record. */
export function rawKeyHex(publicKey: string): string {
  return bytesToHex(rawKeyFromPem(publicKey) ?? new Uint8Array());
}

export function isUnfinished(status: ApplicationStatus): boolean {
  return status === 'PENDING' || status === 'APPROVED';
}

/** Returns the status as of a height: EXPIRED after the last height, even if the timer is late. */
export function applicationStatus(
  { status, expiresAtHeight }: Pick<ApplicationRecord, 'status' | 'expiresAtHeight'>,
  height: number,
): ApplicationStatus {
  return isUnfinished(status) && hasExpired(expiresAtHeight, height) ? 'EXPIRED' : status;
}

export function requireApplicant(
  { state, grants, block }: Pick<CheckContext, 'state' | 'grants' | 'block'>,
  { actorId, publicKey, role }: Pick<ApplicationRecord, 'actorId' | 'publicKey' | 'role'>,
  path: string,
): AuthorityRecord | null {
  requireThat(!state.get('revocation', actorId), 'AUTHORITY_REVOKED', path);
  const authority = state.get('authority', actorId);
  if (!authority) {
    requireThat(!state.get('key', rawKeyHex(publicKey)), 'KEY_ALREADY_REGISTERED', path);
    return null;
  }
  requireThat(authority.active, 'AUTHORITY_INACTIVE', path);
  requireThat(
    rawKeyHex(authority.publicKey) === rawKeyHex(publicKey),
    'APPLICATION_KEY_MISMATCH',
    path,
  );
  requireThat(!holdsRole(authority, role, grants, block.height), 'ROLE_ALREADY_HELD', path);
  const resignation = state.get('resignation', `${role}/${actorId}`);
  requireThat(!resignation, 'ROLE_UNBONDING', path, () => {
    const { height = 0, time = 0 } = resignation?.releaseAt ?? {};
    return `it lasts until height ${height} and ${msToTimestamp(time)}`;
  });
  return authority;
}

function holdsRole(
  authority: AuthorityRecord,
  role: ApplicationRole,
  grants: Grants,
  height: number,
): boolean {
  if (authority.roles.includes('OPERATOR')) return true;
  if (!authority.roles.includes(role)) return false;
  // The base set does not expire, and extendAgentCapabilities restores the rest.
  if (role === 'AGENT') return true;
  return authority.capabilities.some(
    (held) => grants.byRole[role].includes(held.action) && !isOver(held, height),
  );
}

export function requireScope(
  { policy, grants, block }: Pick<CheckContext, 'policy' | 'grants' | 'block'>,
  { capabilities, role }: { capabilities: readonly Capability[]; role: ApplicationRole },
  path: string,
): void {
  const most = policy.operators.maxCapabilities;
  requireThat(
    capabilities.length <= most,
    'APPLICATION_SCOPE_INVALID',
    path,
    () => `there are ${capabilities.length}, at most ${most} may be`,
  );
  const seen = new Set<string>();
  for (const [i, capability] of capabilities.entries()) {
    const { action } = capability;
    requireThat(
      grants.byRole[role].includes(action),
      'APPLICATION_SCOPE_INVALID',
      `${path}/${i}/action`,
      () => `${action} is not an action of the role ${role}`,
    );
    requireThat(
      !seen.has(action),
      'APPLICATION_SCOPE_INVALID',
      `${path}/${i}/action`,
      () => `${action} stands twice`,
    );
    seen.add(action);
    requireThat(
      !isOver(capability, block.height),
      'CAPABILITY_EXPIRED',
      `${path}/${i}/expiresAtHeight`,
    );
  }
}

export function isWithinBounds(
  { policy, grants }: Pick<CheckContext, 'policy' | 'grants'>,
  role: ApplicationRole,
  capabilities: readonly Capability[],
): boolean {
  if (!OPEN_ROLES.has(role)) return false;
  return capabilities.every(({ action, maxAmount }) =>
    maxAmount === undefined
      ? !grants.spending.has(action)
      : maxAmount <= policy.operators.maxAmount,
  );
}

export function isCovered(narrow: Capability, wide: readonly Capability[]): boolean {
  const atMost = (bound: number | undefined, limit: number | undefined): boolean =>
    limit === undefined || (bound !== undefined && bound <= limit);
  return wide.some(
    (held) =>
      held.action === narrow.action &&
      atMost(narrow.maxAmount, held.maxAmount) &&
      atMost(narrow.expiresAtHeight, held.expiresAtHeight),
  );
}

export function requireProfile(
  { state, policy, chain }: Pick<CheckContext, 'state' | 'policy' | 'chain'>,
  application: ApplicationRecord,
): void {
  const { actorId, role, profile } = application;
  const violations = profileViolations[role](profile);
  requireThat(!violations, 'APPLICATION_PROFILE_INVALID', '/profile', () =>
    violationsBelow('/profile', violations),
  );
  const minimum = minimumBond(role, policy);
  requireThat(
    bondOf(role, profile) >= minimum,
    'BOND_TOO_SMALL',
    role === 'VALIDATOR' ? '/profile/selfBond' : '/profile/bond',
    () => `it is at least ${minimum} unet`,
  );
  const { consensusPublicKey, consensusKeySignature = '' } = profile;
  if (consensusPublicKey !== undefined) {
    const path = '/profile/consensusPublicKey';
    requireValidKey(consensusPublicKey, path);
    requireConsensusKey(state, application, path);
    const statement = {
      schema: 'NET-CONSENSUS-KEY/1',
      chainId: chain.chainId,
      actorId,
      consensusPublicKey,
    };
    // Without this signature, an applicant could claim a validator's key and keep its holder from applying.
    requireThat(
      isSignedBy(consensusPublicKey, bytesToSign(statement), consensusKeySignature),
      'CONSENSUS_KEY_PROOF_INVALID',
      '/profile/consensusKeySignature',
    );
  }
}

/** Requires that a known candidate keeps its consensus key, so that evidence finds it. */
export function requireConsensusKey(
  state: ReadableState,
  { actorId, publicKey, profile }: Pick<ApplicationRecord, 'actorId' | 'publicKey' | 'profile'>,
  path: string,
): void {
  if (profile.consensusPublicKey === undefined) return;
  const rawKey = rawKeyHex(profile.consensusPublicKey);
  const candidate = state.get('validator-candidate', actorId);
  if (candidate) {
    const isSame = rawKeyHex(candidate.consensusPublicKey) === rawKey;
    requireThat(isSame, 'KEY_ALREADY_REGISTERED', path, 'a candidate keeps its consensus key');
    return;
  }
  // A key that certifies blocks must not sign actions.
  requireThat(
    rawKey !== rawKeyHex(publicKey) && !state.get('key', rawKey),
    'KEY_ALREADY_REGISTERED',
    path,
  );
}

/** In unet; 0 for roles without a bond. */
export function bondOf(role: ApplicationRole, { bond, selfBond }: ApplicationProfile): number {
  return (role === 'VALIDATOR' ? selfBond : bond) ?? 0;
}

function minimumBond(role: ApplicationRole, { operators }: PolicyRecord): number {
  const { verifier, validator, runtimeProvider } = operators.minimumBonds;
  if (role === 'VERIFIER') return verifier;
  if (role === 'VALIDATOR') return validator;
  return role === 'RUNTIME_PROVIDER' ? runtimeProvider : 0;
}
