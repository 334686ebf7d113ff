import type { Action } from '@netd/ledger';
import { FILLED_IN } from '@netd/sdk/internal';

/** Members of a beacon that the client works out, and that are not in FILLED_IN. */
const OF_A_BEACON = ['metadataHash', 'sequence'];

/** The members of a payload that may be left out, because they follow from the actor and the chain. */
export function filledIn({ name }: Action): Set<string> {
  const members = Object.keys(new Map(Object.entries(FILLED_IN)).get(name) ?? {});
  return new Set(name === 'publishBeacon' ? [...members, ...OF_A_BEACON] : members);
}
