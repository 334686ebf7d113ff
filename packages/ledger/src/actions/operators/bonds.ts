/** Bonds and the registries of those who gave them: into net:bonds with the claim, back after a revocation. */
import type { ChainPosition } from '@netd/protocol';
import { classAccount } from '../../accounting-classes.ts';
import { move } from '../../accounting.ts';
import type { ApplicationRecord, InvitationRecord, ValidatorCandidateRecord } from './records.ts';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';
import { putVerifier } from '../work/roster.ts';
import { bondOf, rawKeyHex } from './application.ts';
import { countMember } from './groups.ts';
import { joinRoster, leaveRoster } from './validator-roster.ts';

const BONDS = classAccount('bonds');

/**
 * Moves the bond of a claimed role and writes its registry record.
 * @returns the bond in unet, 0 for roles without
 */
export function bondAndRegister(
  state: WritableState,
  { actorId, role, profile }: ApplicationRecord,
  { independenceGroup }: InvitationRecord,
  installedAt: ChainPosition,
): number {
  const bond = bondOf(role, profile);
  if (bond > 0) move(state, actorId, BONDS, bond);
  const common = { actorId, active: true, installedAt };
  const bondedAtHeight = installedAt.height;
  const { faultDomain = '', region = '', consensusPublicKey = '' } = profile;
  if (role === 'VERIFIER') {
    putVerifier(state, {
      ...common,
      bond,
      independenceGroup: independenceGroup ?? '',
      bondedAtHeight,
      votesAccepted: 0,
      votesRejected: 0,
      votesMissed: 0,
    });
    count(state, 'active-verifiers', 1);
    countMember(state, 'verifier-groups', independenceGroup ?? '', 1);
  } else if (role === 'VALIDATOR') {
    const candidate: ValidatorCandidateRecord = {
      ...common,
      selfBond: bond,
      consensusPublicKey,
      faultDomain,
      delegated: 0,
      shares: 0,
      delegators: 0,
      unbonding: 0,
      faults: 0,
      nextRewardAt: null,
      bondedAtHeight,
    };
    state.put('validator-candidate', actorId, candidate);
    state.put('key', rawKeyHex(consensusPublicKey), { actorId });
    count(state, 'active-validator-candidates', 1);
    joinRoster(state, candidate);
  } else if (role === 'RUNTIME_PROVIDER') {
    state.put('runtime-provider', actorId, {
      ...common,
      bond,
      region,
      faultDomain,
      bondedAtHeight,
    });
    count(state, 'active-runtime-providers', 1);
    countMember(state, 'provider-fault-domains', faultDomain, 1);
  } else if (role === 'AUDITOR') {
    state.put('auditor', actorId, { ...common, independenceGroup: independenceGroup ?? '' });
    count(state, 'active-auditors', 1);
    countMember(state, 'auditor-groups', independenceGroup ?? '', 1);
  }
  return bond;
}

/**
 * Takes an actor out of every registry in which it still is; its bonds stay where they are.
 * @returns what is bonded, in unet
 */
export function deactivate(state: WritableState, actorId: string): number {
  const verifier = state.get('verifier', actorId);
  if (verifier?.active) {
    putVerifier(state, { ...verifier, active: false });
    count(state, 'active-verifiers', -1);
    countMember(state, 'verifier-groups', verifier.independenceGroup, -1);
  }
  const candidate = state.get('validator-candidate', actorId);
  if (candidate?.active) {
    state.put('validator-candidate', actorId, { ...candidate, active: false });
    count(state, 'active-validator-candidates', -1);
    leaveRoster(state, candidate);
  }
  const provider = state.get('runtime-provider', actorId);
  if (provider?.active) {
    state.put('runtime-provider', actorId, { ...provider, active: false });
    count(state, 'active-runtime-providers', -1);
    countMember(state, 'provider-fault-domains', provider.faultDomain, -1);
  }
  const auditor = state.get('auditor', actorId);
  if (auditor?.active) {
    state.put('auditor', actorId, { ...auditor, active: false });
    count(state, 'active-auditors', -1);
    countMember(state, 'auditor-groups', auditor.independenceGroup, -1);
  }
  return (verifier?.bond ?? 0) + (candidate?.selfBond ?? 0) + (provider?.bond ?? 0);
}

/**
 * Gives back all that an actor has bonded; what evidence has taken from it meanwhile stays taken.
 * @returns what went back, in unet
 */
export function releaseBonds(state: WritableState, actorId: string): number {
  let released = 0;
  const verifier = state.get('verifier', actorId);
  if (verifier) {
    released += verifier.bond;
    state.put('verifier', actorId, { ...verifier, bond: 0 });
  }
  const candidate = state.get('validator-candidate', actorId);
  if (candidate) {
    released += candidate.selfBond;
    state.put('validator-candidate', actorId, { ...candidate, selfBond: 0 });
  }
  const provider = state.get('runtime-provider', actorId);
  if (provider) {
    released += provider.bond;
    state.put('runtime-provider', actorId, { ...provider, bond: 0 });
  }
  if (released > 0) move(state, BONDS, actorId, released);
  return released;
}
