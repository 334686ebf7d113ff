/**
 * Fingerprints of each collection's lists and sorted indexes, and of the frames. If a database stores other fingerprints,
 * `rebuild-lists.ts` rebuilds them.
 */
import type { Tables } from './tables.ts';

/** Fingerprints of databases that store none, which were written up to commit c7bf6d42. */
const FIRST: Readonly<Record<string, string>> = {
  agent: '03a0e93cbba566ae',
  application: 'a5b0997e62877b21',
  'audit-engagement': '49194aca8eeafbbb',
  'audit-finding': 'd7c3aed28e9f912f',
  auditor: '4697620ac4d0c68f',
  beacon: '766ad772defdb094',
  contribution: '7be02cd0722b6154',
  'contribution-receipt': 'e41fd7b9a88ae525',
  delegator: '2819f036f11bdfb5',
  invitation: '2c4891b1a1087f2e',
  location: '140d0e4d78bc02a5',
  'memory-checkpoint': '15ce7a38a31a279f',
  'memory-handover': '26c38e10ba218883',
  message: '1de034c7926bf631',
  'node-heartbeat': '26212c0359706aa3',
  nonce: 'ca8fc4b15eb6ab7a',
  order: '46f97be9689f42b2',
  proposal: '6ceea482bbf1de87',
  'proposal-vote': '9489d7d54075dc5f',
  referral: '2311a04279e53b7b',
  release: 'e6286a8bae116fee',
  'runtime-offer': '77eebb39884cf05b',
  'runtime-provider': '6b7ea45f5aefb02c',
  session: '3e864ecadb94ad6b',
  timer: 'dcfa18c58cdef729',
  token: '8e549206970d29d3',
  'token-holder': '7d2cfbfbb8916bb2',
  unbonding: '3216014648bf2538',
  'validator-candidate': '101ebbfd8245957d',
  'validator-fault': '031218d1e36c6d38',
  'validator-heartbeat': '0fdc3a035c19e8a2',
  'validator-term': '94e867123521ecde',
  verifier: 'eec4db54124185bc',
  'wallet-distribution': '868852a23f38155b',
};

/** Stands for the frames among the names of collections. */
export const FRAMES = 'frames';

/**
 * If a list or a function changes, the test beside this file prints the line to add here. Don't change
 * `FIRST`.
 */
export const DERIVED_FINGERPRINTS: Readonly<Record<string, string>> = {
  ...FIRST,
  [FRAMES]: '4dffd80035d20745',
  'rules-schedule': 'a173b29677958941',
};

export const DERIVED_TEXT = JSON.stringify(DERIVED_FINGERPRINTS);

/**
 * Returns the collections that have records and outdated lists.
 * @param stored the text in `meta` under `derived`
 */
export function collectionsWithOldLists(
  stored: string | undefined,
  state: () => Pick<Tables['state'], 'getKeysCount'>,
): string[] {
  if (stored === DERIVED_TEXT) return [];
  const found = stored === undefined ? FIRST : fingerprintsIn(stored);
  const names = new Set([...Object.keys(found), ...Object.keys(DERIVED_FINGERPRINTS)]);
  const hasRecords = (name: string): boolean => {
    // Each chain has records under `chain/`, and frames.
    const prefix = name === FRAMES ? 'chain' : name;
    return state().getKeysCount({ start: `${prefix}/`, end: `${prefix}0`, limit: 1 }) > 0;
  };
  return [...names].filter(
    (name) => found[name] !== DERIVED_FINGERPRINTS[name] && hasRecords(name),
  );
}

/** Returns the text for `meta` during a rebuild. No version accepts it, so none opens the unfinished database. */
export function markRebuilding(stored: string | undefined, collections: readonly string[]): string {
  const found = stored === undefined ? FIRST : fingerprintsIn(stored);
  const marks = Object.fromEntries(collections.map((name) => [name, 'rebuilding']));
  return JSON.stringify({ ...found, ...marks });
}

function fingerprintsIn(stored: string): Readonly<Record<string, string>> {
  try {
    const found = JSON.parse(stored) as Record<string, string> | null;
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
