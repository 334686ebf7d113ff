/**
 * People and models read an id before they compare keys. So ids that look the same are one name, and no actor
 * gets a name of the network.
 */
import {
  hasReservedPrefix,
  heldNameId,
  isSystemName,
  nameOf,
  reservedNameId,
  speaksForNetwork,
} from '@netd/protocol';
import type { NameRecord } from './actions/agents/records.ts';
import { requireThat } from './rule-error.ts';
import type { Rules } from './rules.ts';
import type { ReadableState, WritableState } from './state.ts';

/** True if the name can no longer be registered, although an earlier version of the rules allowed it. */
export const isReservedSince = (actorId: string, rules: Rules): boolean =>
  rules.atLeast(2) && speaksForNetwork(actorId);

export function requireFreeName(
  state: ReadableState,
  actorId: string,
  { rules, path, publicKeyHash }: { rules: Rules; path: string; publicKeyHash?: string },
): void {
  const holder = heldFor(state, actorId);
  requireThat(
    !(holder === undefined ? hasReservedPrefix(actorId) : holder !== publicKeyHash),
    'NAME_RESERVED',
    path,
  );
  requireHoldableName(state, actorId, { rules, path });
}

export function requireHoldableName(
  state: ReadableState,
  actorId: string,
  { rules, path }: { rules: Rules; path: string },
): void {
  const reserved =
    isSystemName(actorId) ||
    isReservedSince(actorId, rules) ||
    state.get('name', reservedNameId(actorId)) !== undefined;
  requireThat(!reserved, 'NAME_RESERVED', path);
  const holder = state.get('name', nameOf(actorId));
  requireThat(!holder, 'NAME_TAKEN', path, () => `it is a spelling of ${holder?.actorId}`);
}

export const heldFor = (state: ReadableState, actorId: string): string | undefined =>
  state.get('name', heldNameId(actorId))?.publicKeyHash;

/** Holds a name for one key. A later call replaces the key. */
export const holdName = (state: WritableState, hold: NameRecord): void =>
  state.put('name', heldNameId(hold.actorId), hold);

export const holdOf = (state: ReadableState, actorId: string): NameRecord | undefined =>
  state.get('name', heldNameId(actorId));

export const releaseName = (state: WritableState, actorId: string): void =>
  state.delete('name', heldNameId(actorId));

export function takeName(state: WritableState, actorId: string, workBits?: number): void {
  const paid = workBits === undefined ? {} : { workBits };
  state.put('name', nameOf(actorId), { actorId, ...paid });
}

export const hasPaidByApplication = (state: ReadableState, actorId: string): boolean =>
  state.get('name', nameOf(actorId))?.workBits !== undefined;

/** Reserves a name with its lookalikes. */
export function reserveName(state: WritableState, actorId: string): void {
  takeName(state, actorId);
  state.put('name', reservedNameId(actorId), { actorId });
}
