/**
 * People and models read an id before they compare keys. So ids that look the same are one name, and no actor
 * gets a name of the network.
 */
import { CLASS_NAMES } from './accounting-classes.ts';
import { ROLES } from './capability.ts';
import { requireThat } from './rule-error.ts';
import type { Rules } from './rules.ts';
import type { ReadableState, WritableState } from './state.ts';

/** Removes case, dots, underscores and hyphens, which don't distinguish names. */
export function nameOf(actorId: string): string {
  return actorId.toLowerCase().replaceAll(/[._-]/g, '');
}

/** In the order of replacement. */
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
function skeletonOf(actorId: string): string {
  return LOOK_ALIKES.reduce((name, [from, to]) => name.replaceAll(from, to), nameOf(actorId));
}

/** Words that speak for the network or for no actor. */
const SYSTEM_WORDS: readonly string[] = [
  ...CLASS_NAMES,
  ...ROLES,
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
 * Reserves every "house" prefix. "net" starts many words, so a separator or a word of the network must follow
 * it.
 */
function hasReservedPrefix(actorId: string): boolean {
  const skeleton = skeletonOf(actorId);
  if (skeleton.startsWith(HOUSE)) return true;
  const [first = '', ...rest] = actorId.split(/[._-]+/);
  if (rest.length > 0 && skeletonOf(first) === NET) return true;
  return skeleton.startsWith(NET) && SYSTEM_SKELETONS.has(skeleton.slice(NET.length));
}

/** Followed by a number, each names one more holder. */
const GENESIS_ROLES = ['operator', 'validator'] as const;

function isGenesisRole(actorId: string): boolean {
  const name = nameOf(actorId);
  return GENESIS_ROLES.some(
    (role) =>
      skeletonOf(name.slice(0, role.length)) === skeletonOf(role) &&
      // Digits and their lookalikes.
      /^[0-9oil]+$/.test(name.slice(role.length)),
  );
}

/** Words that one agent among many may combine and number: `agent-1`, `human-2`. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(['AGENT', 'HUMAN'].map(skeletonOf));

/**
 * True for words that speak for the network in a row, perhaps with a number: `network-admin`, `verifier-1`, `netescrow-0`.
 * Another word among them makes the name free: `ada-verifier-1`.
 */
function speaksForNetwork(actorId: string): boolean {
  const name = nameOf(actorId);
  // Digits and their lookalikes, which may also be the end of a word.
  const most = /[0-9oil]*$/.exec(name)?.[0].length ?? 0;
  for (let digits = 0; digits <= most; digits++) {
    if (isMadeOfSystemWords(skeletonOf(name.slice(0, name.length - digits)))) return true;
  }
  return false;
}

/** @param skeleton true only if one of its words is not plain */
function isMadeOfSystemWords(skeleton: string): boolean {
  // By length of a beginning that is made of words: true if one of them is not plain.
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

/** True if the name can no longer be taken, although an earlier version of the rules allowed it. */
export const isReservedSince = (actorId: string, rules: Rules): boolean =>
  rules.atLeast(2) && speaksForNetwork(actorId);

/** @param publicKeyHash of the key that asks for the name, if any */
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

/** Requires an unused name, which an operator may hold for a key. */
export function requireHoldableName(
  state: ReadableState,
  actorId: string,
  { rules, path }: { rules: Rules; path: string },
): void {
  const skeleton = skeletonOf(actorId);
  const reserved =
    SYSTEM_SKELETONS.has(skeleton) ||
    isGenesisRole(actorId) ||
    isReservedSince(actorId, rules) ||
    state.get('name', `reserved:${skeleton}`) !== undefined;
  requireThat(!reserved, 'NAME_RESERVED', path);
  const holder = state.get('name', nameOf(actorId));
  requireThat(!holder, 'NAME_TAKEN', path, () => `it is a spelling of ${holder?.actorId}`);
}

/** Returns the hash of the key that an operator holds the name for. */
export const heldFor = (state: ReadableState, actorId: string): string | undefined =>
  state.get('name', heldId(actorId))?.publicKeyHash;

const heldId = (actorId: string): string => `held:${nameOf(actorId)}`;

/** Holds a name for one key. A later call replaces the key. */
export function holdName(state: WritableState, actorId: string, publicKeyHash: string): void {
  state.put('name', heldId(actorId), { actorId, publicKeyHash });
}

export function takeName(state: WritableState, actorId: string): void {
  state.put('name', nameOf(actorId), { actorId });
}

/** Reserves lookalikes too. */
export function reserveName(state: WritableState, actorId: string): void {
  takeName(state, actorId);
  state.put('name', `reserved:${skeletonOf(actorId)}`, { actorId });
}
