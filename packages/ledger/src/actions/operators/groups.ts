import type { CounterName } from '../../counter-names.ts';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';

type GroupCounter = Extract<
  CounterName,
  'verifier-groups' | 'auditor-groups' | 'validator-fault-domains' | 'provider-fault-domains'
>;

/** Adds or removes a member. The count of groups changes with a group's first and last member. */
export function countMember(
  state: WritableState,
  groups: GroupCounter,
  group: string,
  change: 1 | -1,
): void {
  const id = `${groups}:${group}` as const;
  const before = state.get('group-members', id) ?? 0;
  const after = before + change;
  if (after === 0) state.delete('group-members', id);
  else state.put('group-members', id, after);
  if (before === 0 || after === 0) count(state, groups, change);
}
