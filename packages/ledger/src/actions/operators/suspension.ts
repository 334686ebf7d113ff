/**
 * A suspended agent cannot sign, so it leaves all registries and counts in no gate. Its bonds stay locked.
 */
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { MAX_ROSTER, putVerifier, rosterOf } from './verifier-roster.ts';
import { deactivate } from './bonds.ts';
import { countMember } from './groups.ts';
import type { SuspensionRecord } from './records.ts';
import { joinRoster, MAX_VALIDATOR_ROSTER, validatorRoster } from './validator-roster.ts';

const REGISTRIES = ['verifier', 'validator-candidate', 'runtime-provider', 'auditor'] as const;

export function suspend(state: WritableState, actorId: string): void {
  const registries: SuspensionRecord['registries'] = REGISTRIES.filter(
    (name) => state.get(name, actorId)?.active === true,
  );
  if (registries.length === 0) return;
  deactivate(state, actorId);
  state.put('suspension', actorId, { actorId, registries });
}

/** Rejects a return if others have taken the places in the bounded rosters. */
export function requireRoomToReturn(state: ReadableState, actorId: string, path: string): void {
  const registries = state.get('suspension', actorId)?.registries ?? [];
  requireThat(
    !registries.includes('verifier') || rosterOf(state).length < MAX_ROSTER,
    'VERIFIER_ROSTER_FULL',
    path,
  );
  requireThat(
    !registries.includes('validator-candidate') ||
      validatorRoster(state).length < MAX_VALIDATOR_ROSTER,
    'VALIDATOR_ROSTER_FULL',
    path,
  );
}

export function reinstate(state: WritableState, actorId: string): void {
  const suspension = state.get('suspension', actorId);
  if (!suspension) return;
  state.delete('suspension', actorId);
  for (const registry of suspension.registries) BACK_INTO[registry](state, actorId);
}

export function forgetSuspension(state: WritableState, actorId: string): void {
  if (state.get('suspension', actorId)) state.delete('suspension', actorId);
}

const BACK_INTO: Readonly<
  Record<(typeof REGISTRIES)[number], (state: WritableState, actorId: string) => void>
> = {
  verifier(state, actorId) {
    const verifier = state.get('verifier', actorId);
    if (!verifier || verifier.active) return;
    putVerifier(state, { ...verifier, active: true });
    count(state, 'active-verifiers', 1);
    countMember(state, 'verifier-groups', verifier.independenceGroup, 1);
  },
  'validator-candidate'(state, actorId) {
    const candidate = state.get('validator-candidate', actorId);
    if (!candidate || candidate.active) return;
    state.put('validator-candidate', actorId, { ...candidate, active: true });
    count(state, 'active-validator-candidates', 1);
    // Candidates with a proven fault stay out of the roster.
    if (candidate.faults === 0) joinRoster(state, candidate);
  },
  'runtime-provider'(state, actorId) {
    const provider = state.get('runtime-provider', actorId);
    if (!provider || provider.active) return;
    state.put('runtime-provider', actorId, { ...provider, active: true });
    count(state, 'active-runtime-providers', 1);
    countMember(state, 'provider-fault-domains', provider.faultDomain, 1);
  },
  auditor(state, actorId) {
    const auditor = state.get('auditor', actorId);
    if (!auditor || auditor.active) return;
    state.put('auditor', actorId, { ...auditor, active: true });
    count(state, 'active-auditors', 1);
    countMember(state, 'auditor-groups', auditor.independenceGroup, 1);
  },
};
