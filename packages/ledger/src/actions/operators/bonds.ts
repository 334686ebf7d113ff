/**
 * Bonds of roles. A claim moves the bond to net:bonds; resignation or revocation returns it. Claiming a held
 * role renews it: the record keeps its counts, and the bond is topped up.
 */
import type { ChainPosition } from '@netd/protocol';
import { classAccount } from '../../accounting-classes.ts';
import { balanceOf, move } from '../../accounting.ts';
import type { ApplicationRecord, InvitationRecord, ValidatorCandidateRecord } from './records.ts';
import type { Role } from '../../capability.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { clearTimer } from '../../timers.ts';
import { putVerifier } from './verifier-roster.ts';
import { bondOf, rawKeyHex } from './application.ts';
import { countMember } from './groups.ts';
import { joinRoster, leaveRoster } from './validator-roster.ts';

const BONDS = classAccount('bonds');

const REGISTERED = ['VERIFIER', 'VALIDATOR', 'RUNTIME_PROVIDER', 'AUDITOR'] as const;

/** Returns the bond in unet. After a resignation it counts until its release. */
export function bondedFor(state: ReadableState, actorId: string, role: Role): number {
  if (role === 'VERIFIER') return state.get('verifier', actorId)?.bond ?? 0;
  if (role === 'VALIDATOR') return state.get('validator-candidate', actorId)?.selfBond ?? 0;
  return role === 'RUNTIME_PROVIDER' ? (state.get('runtime-provider', actorId)?.bond ?? 0) : 0;
}

function bondDue(
  state: ReadableState,
  { actorId, role, profile }: Pick<ApplicationRecord, 'actorId' | 'role' | 'profile'>,
): number {
  return Math.max(0, bondOf(role, profile) - bondedFor(state, actorId, role));
}

export function requireBond(
  state: ReadableState,
  application: Pick<ApplicationRecord, 'actorId' | 'role' | 'profile'>,
  path: string,
): void {
  const due = bondDue(state, application);
  const balance = balanceOf(state, application.actorId);
  requireThat(
    balance >= due,
    'INSUFFICIENT_BALANCE',
    path,
    () => `the bond is ${due} unet, the account holds ${balance}`,
  );
}

export function bondAndRegister(
  state: WritableState,
  application: ApplicationRecord,
  { independenceGroup }: InvitationRecord,
  claimedAt: ChainPosition,
): number {
  const { actorId, role, profile } = application;
  const due = bondDue(state, application);
  if (due > 0) move(state, actorId, BONDS, due);
  const bond = bondedFor(state, actorId, role) + due;
  const { faultDomain = '', region = '', consensusPublicKey = '' } = profile;
  const group = independenceGroup ?? '';
  const common = (before: { active: boolean; installedAt: ChainPosition } | undefined) => ({
    actorId,
    active: true,
    installedAt: before?.installedAt ?? claimedAt,
  });
  const since = (before: { active: boolean; bondedAtHeight: number } | undefined): number =>
    before?.active ? before.bondedAtHeight : claimedAt.height;
  if (role === 'VERIFIER') {
    const before = state.get('verifier', actorId);
    deactivateRole(state, actorId, role);
    putVerifier(state, {
      votesAccepted: 0,
      votesRejected: 0,
      votesUnjudgeable: 0,
      votesMissed: 0,
      ...before,
      ...common(before),
      bond,
      independenceGroup: group,
      bondedAtHeight: since(before),
    });
    count(state, 'active-verifiers', 1);
    countMember(state, 'verifier-groups', group, 1);
  } else if (role === 'VALIDATOR') {
    const before = state.get('validator-candidate', actorId);
    const candidate: ValidatorCandidateRecord = {
      delegated: 0,
      shares: 0,
      delegators: 0,
      unbonding: 0,
      faults: 0,
      nextRewardAt: null,
      ...before,
      ...common(before),
      selfBond: bond,
      consensusPublicKey,
      faultDomain,
      bondedAtHeight: since(before),
    };
    state.put('validator-candidate', actorId, candidate);
    state.put('key', rawKeyHex(consensusPublicKey), { actorId });
    if (before?.active && before.faultDomain === faultDomain) return due;
    if (before?.active) leaveRoster(state, before);
    else count(state, 'active-validator-candidates', 1);
    if (candidate.faults === 0) joinRoster(state, candidate);
  } else if (role === 'RUNTIME_PROVIDER') {
    const before = state.get('runtime-provider', actorId);
    deactivateRole(state, actorId, role);
    state.put('runtime-provider', actorId, {
      ...common(before),
      bond,
      region,
      faultDomain,
      bondedAtHeight: since(before),
    });
    count(state, 'active-runtime-providers', 1);
    countMember(state, 'provider-fault-domains', faultDomain, 1);
  } else if (role === 'AUDITOR') {
    const before = state.get('auditor', actorId);
    deactivateRole(state, actorId, role);
    state.put('auditor', actorId, { ...common(before), independenceGroup: group });
    count(state, 'active-auditors', 1);
    countMember(state, 'auditor-groups', group, 1);
  }
  return due;
}

export function deactivateRole(state: WritableState, actorId: string, role: Role): void {
  if (role === 'VERIFIER') {
    const verifier = state.get('verifier', actorId);
    if (!verifier?.active) return;
    putVerifier(state, { ...verifier, active: false });
    count(state, 'active-verifiers', -1);
    countMember(state, 'verifier-groups', verifier.independenceGroup, -1);
  } else if (role === 'VALIDATOR') {
    const candidate = state.get('validator-candidate', actorId);
    if (!candidate?.active) return;
    state.put('validator-candidate', actorId, { ...candidate, active: false });
    count(state, 'active-validator-candidates', -1);
    leaveRoster(state, candidate);
  } else if (role === 'RUNTIME_PROVIDER') {
    const provider = state.get('runtime-provider', actorId);
    if (!provider?.active) return;
    state.put('runtime-provider', actorId, { ...provider, active: false });
    count(state, 'active-runtime-providers', -1);
    countMember(state, 'provider-fault-domains', provider.faultDomain, -1);
  } else if (role === 'AUDITOR') {
    const auditor = state.get('auditor', actorId);
    if (!auditor?.active) return;
    state.put('auditor', actorId, { ...auditor, active: false });
    count(state, 'active-auditors', -1);
    countMember(state, 'auditor-groups', auditor.independenceGroup, -1);
  }
}

/**
 * Removes the actor from all registries, and returns its bonds in unet. All stay locked, also those of
 * pending resignations.
 */
export function deactivate(state: WritableState, actorId: string): number {
  let bonded = 0;
  for (const role of REGISTERED) {
    deactivateRole(state, actorId, role);
    bonded += bondedFor(state, actorId, role);
  }
  return bonded;
}

/** Cancels pending releases, because the revocation will release these bonds. */
export function withdrawResignations(state: WritableState, actorId: string): void {
  for (const role of REGISTERED) {
    const subject = `${role}/${actorId}`;
    if (!state.get('resignation', subject)) continue;
    state.delete('resignation', subject);
    clearTimer(state, 'releaseRoleBond', subject);
  }
}

export function releaseBondOf(
  state: WritableState,
  actorId: string,
  role: Role,
  to: string,
): number {
  const released = bondedFor(state, actorId, role);
  if (released === 0) return 0;
  const verifier = role === 'VERIFIER' && state.get('verifier', actorId);
  if (verifier) state.put('verifier', actorId, { ...verifier, bond: 0 });
  const candidate = role === 'VALIDATOR' && state.get('validator-candidate', actorId);
  if (candidate) state.put('validator-candidate', actorId, { ...candidate, selfBond: 0 });
  const provider = role === 'RUNTIME_PROVIDER' && state.get('runtime-provider', actorId);
  if (provider) state.put('runtime-provider', actorId, { ...provider, bond: 0 });
  move(state, BONDS, to, released);
  return released;
}

export function releaseBonds(state: WritableState, actorId: string, to: string): number {
  return REGISTERED.reduce((sum, role) => sum + releaseBondOf(state, actorId, role, to), 0);
}
