/** Independence of verifiers, as the approving operators declared it. */
import { OPERATOR_GROUP_PREFIX } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export interface VerifierGroups {
  /** Groups of active verifiers. */
  all: number;
  /** Groups that belong to an operator of the network. */
  ofOperators: number;
}

export function verifierGroups(snapshot: Snapshot): VerifierGroups {
  const roster = snapshot.get('verifier-roster', 'active')?.verifiers ?? [];
  const groups = new Set(roster.map(({ independenceGroup }) => independenceGroup));
  const ofOperators = [...groups].filter((group) => group.startsWith(OPERATOR_GROUP_PREFIX));
  return { all: groups.size, ofOperators: ofOperators.length };
}
