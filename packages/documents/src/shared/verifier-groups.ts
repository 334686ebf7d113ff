/** Which parties the verifiers of committees belong to, as the operators who approved them have said. */
import { OPERATOR_GROUP_PREFIX } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export interface VerifierGroups {
  /** Independence groups of active verifiers. */
  all: number;
  /** Of them, those that belong to an operator of the network. */
  ofOperators: number;
}

export function verifierGroups(snapshot: Snapshot): VerifierGroups {
  const roster = snapshot.get('verifier-roster', 'active')?.verifiers ?? [];
  const groups = new Set(roster.map(({ independenceGroup }) => independenceGroup));
  const ofOperators = [...groups].filter((group) => group.startsWith(OPERATOR_GROUP_PREFIX));
  return { all: groups.size, ofOperators: ofOperators.length };
}
