import type { Action } from '@netd/ledger';
import { FILLED_IN } from '@netd/sdk/internal';

/** Beacon fields that the client computes, not in FILLED_IN. */
const OF_A_BEACON = ['metadataHash', 'sequence'];

/** Returns payload fields that may be left out, because actor and chain determine them. */
export function filledIn({ name }: Action): Set<string> {
  const members = Object.keys(new Map(Object.entries(FILLED_IN)).get(name) ?? {});
  return new Set(name === 'publishBeacon' ? [...members, ...OF_A_BEACON] : members);
}
