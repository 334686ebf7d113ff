import type { Action } from '@netd/ledger';
import { FILLED_IN } from '@netd/sdk/internal';

/** Fields of a beacon that the client computes. FILLED_IN lacks them. */
const OF_A_BEACON = ['metadataHash', 'sequence'];

/** Returns payload fields that the user may leave out, because actor and chain determine them. */
export function filledIn({ name }: Action): Set<string> {
  const members = Object.keys(new Map(Object.entries(FILLED_IN)).get(name) ?? {});
  return new Set(name === 'publishBeacon' ? [...members, ...OF_A_BEACON] : members);
}
