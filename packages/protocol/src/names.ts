/** Names of actors: which of them are one name, and which speak for the network. */

/** Removes case, dots, underscores and hyphens, which don't distinguish names. */
export function nameOf(actorId: string): string {
  return actorId.toLowerCase().replaceAll(/[._-]/g, '');
}

/** Id in the state's collection `name` of a name that is held for one key. A name that is taken has `nameOf` as its id. */
export const heldNameId = (actorId: string): string => `held:${nameOf(actorId)}`;

/** Id there of a reserved name. Its lookalikes are reserved too. */
export const reservedNameId = (actorId: string): string => `reserved:${skeletonOf(actorId)}`;

const LOOK_ALIKES: readonly [string, string][] = [
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
  ['rn', 'm'],
  ['vv', 'w'],
];

/**
 * Makes lookalike characters equal. Only reserved names are compared this way: `aida` and `alda` may both
 * exist.
 */
export function skeletonOf(actorId: string): string {
  return LOOK_ALIKES.reduce((name, [from, to]) => name.replaceAll(from, to), nameOf(actorId));
}

/** Words that speak for the network or for no actor. */
const SYSTEM_WORDS: readonly string[] = [
  // Classes of accounts.
  'circulating',
  'faucet',
  'treasury',
  'reward-pool',
  'escrow',
  'bonds',
  'stake',
  // Roles.
  'agent',
  'human',
  'verifier',
  'validator',
  'runtime_provider',
  'auditor',
  'governor',
  'operator',
  'net',
  'netd',
  'network',
  'system',
  'genesis',
  'chain',
  'ledger',
  'consensus',
  'protocol',
  'admin',
  'administrator',
  'root',
  'owner',
  'official',
  'support',
  'security',
  'moderator',
  // A path of the API, not an agent.
  'register',
  'anonymous',
  'anyone',
  'everyone',
  'nobody',
  'null',
  'undefined',
  'unknown',
];
const SYSTEM_SKELETONS: ReadonlySet<string> = new Set(SYSTEM_WORDS.map(skeletonOf));

/** Prefixes of the operator's own agents (`house-echo`) and of the network (`net-escrow`). */
const HOUSE = skeletonOf('house');
const NET = skeletonOf('net');

/**
 * Reserves every "house" prefix. "net" starts many words, so it must be followed by a separator or a word of
 * the network.
 */
export function hasReservedPrefix(actorId: string): boolean {
  const skeleton = skeletonOf(actorId);
  if (skeleton.startsWith(HOUSE)) return true;
  const [first = '', ...rest] = actorId.split(/[._-]+/);
  if (rest.length > 0 && skeletonOf(first) === NET) return true;
  return skeleton.startsWith(NET) && SYSTEM_SKELETONS.has(skeleton.slice(NET.length));
}

/** Words that name one more genesis role with each number. */
const GENESIS_ROLES = ['operator', 'validator'] as const;

function isGenesisRole(actorId: string): boolean {
  const name = nameOf(actorId);
  return GENESIS_ROLES.some(
    (role) =>
      skeletonOf(name.slice(0, role.length)) === skeletonOf(role) &&
      /^[0-9oil]+$/.test(name.slice(role.length)),
  );
}

/** True for the names of system words and genesis roles, and for their lookalikes. */
export const isSystemName = (actorId: string): boolean =>
  SYSTEM_SKELETONS.has(skeletonOf(actorId)) || isGenesisRole(actorId);

/** Words that one agent among many may combine and number: `agent-1`, `human-2`. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(['AGENT', 'HUMAN'].map(skeletonOf));

/**
 * True if the name is a row of words that speak for the network, perhaps with a number: `network-admin`,
 * `verifier-1`, `netescrow-0`. Another word among them makes the name free: `ada-verifier-1`.
 */
export function speaksForNetwork(actorId: string): boolean {
  const name = nameOf(actorId);
  // Digits and their lookalikes may also be the end of a word.
  const most = /[0-9oil]*$/.exec(name)?.[0].length ?? 0;
  for (let digits = 0; digits <= most; digits++) {
    if (isMadeOfSystemWords(skeletonOf(name.slice(0, name.length - digits)))) return true;
  }
  return false;
}

function isMadeOfSystemWords(skeleton: string): boolean {
  // Maps the length of each beginning that consists of words to true if one of the words is not plain.
  const made = new Map([[0, false]]);
  for (let end = 1; end <= skeleton.length; end++) {
    for (const word of SYSTEM_SKELETONS) {
      const speaks = made.get(end - word.length);
      if (speaks === undefined || !skeleton.startsWith(word, end - word.length)) continue;
      made.set(end, made.get(end) === true || speaks || !PLAIN_WORDS.has(word));
    }
  }
  return made.get(skeleton.length) === true;
}
