import { canonicalize, compareEventIds, hashValue, msToTimestamp } from '@netd/protocol';
import type { DocumentOf, VerifiedBlock } from '@netd/sdk/core';
import type { Standing } from './standing.ts';

/** @param members those that the page shows; only unchangeable ones if the record may have changed */
export function differences(
  shown: Readonly<Record<string, unknown>>,
  proven: unknown,
  members: readonly string[],
): string[] {
  if (typeof proven !== 'object' || proven === null) return [...members];
  const record = proven as Readonly<Record<string, unknown>>;
  return members.filter((name) => text(shown[name]) !== text(record[name]));
}

const NO_TEXT = 'no canonical JSON';

function text(value: unknown): string {
  try {
    return canonicalize(value === undefined ? null : value);
  } catch {
    return NO_TEXT;
  }
}

/** Members that nodes add to every record. No proof covers them. */
const ADDED = ['links', 'times'];

/**
 * Compares a document with the proven record that it shows: every member of either, so that nothing is shown as proven
 * because no list names it.
 * @param fixed members that never change, or change only once
 * @param derived members that the document computes from other data, or shows in another form
 * @returns `never`: differences in fixed members; `now`: differences in others, which a later block may explain
 */
export function recordDifferences(
  shown: Readonly<Record<string, unknown>>,
  proven: unknown,
  { fixed, derived = [] }: { fixed: readonly string[]; derived?: readonly string[] },
): { never: string[]; now: string[] } {
  const record = withDocumentTimes(proven);
  const left = new Set([...ADDED, ...derived]);
  const members = new Set([...fixed, ...Object.keys(shown), ...Object.keys(record ?? {})]);
  const found = differences(
    shown,
    record,
    [...members].filter((name) => !left.has(name)),
  );
  return {
    never: found.filter((name) => fixed.includes(name)),
    now: found.filter((name) => !fixed.includes(name)),
  };
}

/** Returns the record with its deadlines as documents show them. Returns null if it is no record. */
function withDocumentTimes(record: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof record !== 'object' || record === null) return null;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, documentTime(value)]),
  );
}

function documentTime(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return value;
  const { height, time } = value as { height?: unknown; time?: unknown };
  if (typeof height !== 'number' || typeof time !== 'number') return value;
  // While a jury is being drawn, the record has a height alone.
  return time === 0 ? null : { height, time: msToTimestamp(time) };
}

export interface Agreement {
  standing: Standing;
  contradicts: readonly string[];
}

/**
 * Compares a document with its proof. A block may have come between them, so changed members are read again
 * first.
 * @param never differences in unchangeable members
 * @param now differences in other members
 * @param isSameHeight true if nothing can have changed
 */
export function agreement(
  standing: Standing,
  never: readonly string[],
  now: readonly string[],
  isSameHeight: boolean,
): Agreement {
  const contradicts = isSameHeight ? [...never, ...now] : never;
  const isOpen = contradicts.length === 0 && now.length > 0;
  return {
    standing: isOpen && standing.standing === 'proven' ? { standing: 'proving' } : standing,
    contradicts,
  };
}

/**
 * Compares the balance of an account with its proof.
 * @param shown undefined if the node gave none
 * @returns the balance to show, the proven one if there is no other; null if it is unknown
 */
export function balanceAgreement(
  shown: { balance: number; height: number } | undefined,
  {
    standing,
    proven,
  }: { standing: Standing; proven: { value: unknown; height: number } | undefined },
): Agreement & { balance: number | null } {
  if (!proven) return { standing, contradicts: [], balance: shown?.balance ?? null };
  const record = (proven.value ?? { balance: 0 }) as { balance: number };
  const { balance, height } = shown ?? { balance: record.balance, height: proven.height };
  const now = differences({ balance }, record, ['balance']);
  return { ...agreement(standing, [], now, proven.height === height), balance };
}

/**
 * Compares lists that only grow.
 * @returns `differ` if their histories differ; `longer` if one has more
 */
export function growth(
  shown: readonly unknown[],
  proven: readonly unknown[],
): 'same' | 'longer' | 'differ' {
  const isPrefix = shown.every(
    (item, at) => at >= proven.length || text(item) === text(proven[at]),
  );
  if (!isPrefix) return 'differ';
  return shown.length === proven.length ? 'same' : 'longer';
}

interface Listed {
  id: string;
  height: number;
  type: string;
  data: unknown;
}

/**
 * Compares listed events with proven blocks.
 * @returns events that their block contains, newest first, and events that contradict it or are listed twice; neither
 * if their block is unproven
 */
export function placeEvents<Event extends Listed>(
  events: readonly Event[],
  blocks: ReadonlyMap<number, Pick<VerifiedBlock, 'events'>>,
): { proven: Event[]; contradicted: Event[] } {
  const [proven, contradicted]: [Event[], Event[]] = [[], []];
  const seen = new Set<string>();
  for (const event of events) {
    const block = blocks.get(event.height);
    if (!block) continue;
    const own = block.events.find(({ id }) => id === event.id);
    const isSame = own && text([own.type, own.data]) === text([event.type, event.data]);
    (isSame && !seen.has(event.id) ? proven : contradicted).push(event);
    seen.add(event.id);
  }
  return { proven: proven.toSorted((a, b) => compareEventIds(b.id, a.id)), contradicted };
}

type Block = DocumentOf<'/v1/blocks/{height}'>;

/** Compares the proven block with the one on the page, which the node could have forged. */
export function blockDifferences(
  shown: Partial<Record<keyof Block, unknown>>,
  proven: VerifiedBlock,
): string[] {
  const { blockHash } = proven.certificate;
  const given = ['header', 'certificate', 'events', 'blockHash'].filter((name) => name in shown);
  const found = differences(shown, { ...proven, blockHash }, given);
  if (!('transitions' in shown)) return found;
  const { transitions } = shown;
  const hashes = Array.isArray(transitions) ? transitions.map(transitionHashOf) : null;
  return text(hashes) === text(proven.transitions) ? found : [...found, 'transitions'];
}

/** Returns null if the transition claims another hash, or another place, by which the page finds its events. */
function transitionHashOf(transition: unknown, at: number): string | null {
  const { envelope, transitionHash, index } = (transition ?? {}) as Partial<
    Block['transitions'][number]
  >;
  try {
    return transitionHash !== undefined &&
      hashValue(envelope) === transitionHash &&
      (index ?? at) === at
      ? transitionHash
      : null;
  } catch {
    return null;
  }
}
