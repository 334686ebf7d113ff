/** Independence of verifiers, as declared by the operators that approved them. */
import { OPERATOR_GROUP_PREFIX } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export interface VerifierGroups {
  all: number;
  ofOperators: number;
}

export function verifierGroups(snapshot: Snapshot): VerifierGroups {
  const roster = snapshot.get('verifier-roster', 'active')?.verifiers ?? [];
  const groups = new Set(roster.map(({ independenceGroup }) => independenceGroup));
  const ofOperators = [...groups].filter((group) => group.startsWith(OPERATOR_GROUP_PREFIX));
  return { all: groups.size, ofOperators: ofOperators.length };
}
