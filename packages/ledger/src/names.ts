/**
 * The names of actors. Two ids that people would take for one are one name, and no actor bears a name of the network: an
 * id is read by people and models before any key is compared.
 */
import { CLASS_NAMES } from './accounting-classes.ts';
import { ROLES } from './capability.ts';
import { requireThat } from './rule-error.ts';
import type { ReadableState, WritableState } from './state.ts';

/** The name of an id: ids are ASCII, and case, dots, underscores and hyphens make no other name of it. */
export function nameOf(actorId: string): string {
  return actorId.toLowerCase().replaceAll(/[._-]/g, '');
}

/** Characters that look alike in most fonts, in the order in which they are replaced. */
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
 * A name with what looks alike made equal. Only reserved names are compared so: among all others `aida` and `alda` are
 * two people.
 */
function skeletonOf(actorId: string): string {
  return LOOK_ALIKES.reduce((name, [from, to]) => name.replaceAll(from, to), nameOf(actorId));
}

/** Words that speak for the network, or for no one. */
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
  // A path of the interface, where the record of an agent of this name would stand.
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

/** Beginnings of the names of the operator's own agents (`house-echo`), and of the network (`net-escrow`). */
const HOUSE = skeletonOf('house');
const NET = skeletonOf('net');

/**
 * Whether an id begins as those of the house or of the network do, or looks as if it did. Nothing else begins with "house",
 * with a separator or without one; "net" begins many a word, so there a separator or a word of the network has to follow.
 */
function hasReservedPrefix(actorId: string): boolean {
  const skeleton = skeletonOf(actorId);
  if (skeleton.startsWith(HOUSE)) return true;
  const [first = '', ...rest] = actorId.split(/[._-]+/);
  if (rest.length > 0 && skeletonOf(first) === NET) return true;
  return skeleton.startsWith(NET) && SYSTEM_SKELETONS.has(skeleton.slice(NET.length));
}

/** Roles of genesis: with a number behind it each is the name of one more of them. */
const GENESIS_ROLES = ['operator', 'validator'] as const;

function isGenesisRole(actorId: string): boolean {
  const name = nameOf(actorId);
  return GENESIS_ROLES.some(
    (role) =>
      skeletonOf(name.slice(0, role.length)) === skeletonOf(role) &&
      // Digits, and what looks like a 0 or a 1.
      /^[0-9oil]+$/.test(name.slice(role.length)),
  );
}

/**
 * @param publicKeyHash of the key that asks for it, where one does
 * @throws RuleError NAME_RESERVED, NAME_TAKEN
 */
export function requireFreeName(
  state: ReadableState,
  actorId: string,
  { path, publicKeyHash }: { path: string; publicKeyHash?: string },
): void {
  const holder = state.get('name', heldId(actorId))?.publicKeyHash;
  requireThat(
    !(holder === undefined ? hasReservedPrefix(actorId) : holder !== publicKeyHash),
    'NAME_RESERVED',
    path,
  );
  requireHoldableName(state, actorId, path);
}

/**
 * An unused name, which an operator may hold for a key.
 * @throws RuleError NAME_RESERVED, NAME_TAKEN
 */
export function requireHoldableName(state: ReadableState, actorId: string, path: string): void {
  const skeleton = skeletonOf(actorId);
  const reserved =
    SYSTEM_SKELETONS.has(skeleton) ||
    isGenesisRole(actorId) ||
    state.get('name', `reserved:${skeleton}`) !== undefined;
  requireThat(!reserved, 'NAME_RESERVED', path);
  const holder = state.get('name', nameOf(actorId));
  requireThat(!holder, 'NAME_TAKEN', path, () => `it is a spelling of ${holder?.actorId}`);
}

const heldId = (actorId: string): string => `held:${nameOf(actorId)}`;

/** Keeps a name for one key; a later one takes its place. */
export function holdName(state: WritableState, actorId: string, publicKeyHash: string): void {
  state.put('name', heldId(actorId), { actorId, publicKeyHash });
}

/** Makes the name the actor's for good. */
export function takeName(state: WritableState, actorId: string): void {
  state.put('name', nameOf(actorId), { actorId });
}

/** Takes a name for genesis, and every name that looks like it. */
export function reserveName(state: WritableState, actorId: string): void {
  takeName(state, actorId);
  state.put('name', `reserved:${skeletonOf(actorId)}`, { actorId });
}
