import { canonicalize, hashValue } from '@netd/protocol';
import type { DocumentOf, VerifiedBlock } from '@netd/sdk/core';
import type { Standing } from './proofs.ts';

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
 * @returns events that their block contains, and events that contradict it; neither if their block is unproven
 */
export function placeEvents<Event extends Listed>(
  events: readonly Event[],
  blocks: ReadonlyMap<number, Pick<VerifiedBlock, 'events'>>,
): { proven: Event[]; contradicted: Event[] } {
  const [proven, contradicted]: [Event[], Event[]] = [[], []];
  for (const event of events) {
    const block = blocks.get(event.height);
    if (!block) continue;
    const own = block.events.find(({ id }) => id === event.id);
    const isSame = own && text([own.type, own.data]) === text([event.type, event.data]);
    (isSame ? proven : contradicted).push(event);
  }
  return { proven, contradicted };
}

type Block = DocumentOf<'/v1/blocks/{height}'>;

/** Compares the proven block with the one on the page, which the node could have forged. */
export function blockDifferences(
  shown: Partial<Record<keyof Block, unknown>>,
  proven: VerifiedBlock,
): string[] {
  const given = ['header', 'certificate', 'events'].filter((name) => name in shown);
  const found = differences(shown, proven, given);
  if (!('transitions' in shown)) return found;
  const { transitions } = shown;
  const hashes = Array.isArray(transitions) ? transitions.map(transitionHashOf) : null;
  return text(hashes) === text(proven.transitions) ? found : [...found, 'transitions'];
}

/** Returns null if the transition claims another hash. */
function transitionHashOf(transition: unknown): string | null {
  const { envelope, transitionHash } = (transition ?? {}) as Partial<Block['transitions'][number]>;
  try {
    return transitionHash !== undefined && hashValue(envelope) === transitionHash
      ? transitionHash
      : null;
  } catch {
    return null;
  }
}
