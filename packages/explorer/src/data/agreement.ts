/** Whether what a document says is what was proven. */
import { canonicalize, hashValue } from '@netd/protocol';
import type { DocumentOf, VerifiedBlock } from '@netd/sdk/core';
import type { Standing } from './proofs.ts';

/**
 * The members in which a document differs from the proven record.
 * @param members those that the page shows; of a record that may have changed since, those that never do
 */
export function differences(
  shown: Readonly<Record<string, unknown>>,
  proven: unknown,
  members: readonly string[],
): string[] {
  if (typeof proven !== 'object' || proven === null) return [...members];
  const record = proven as Readonly<Record<string, unknown>>;
  return members.filter((name) => text(shown[name]) !== text(record[name]));
}

/** Not canonical JSON: what has none, such as a number that no double holds, is never the same as what was proven. */
const NO_TEXT = 'no canonical JSON';

function text(value: unknown): string {
  try {
    return canonicalize(value === undefined ? null : value);
  } catch {
    return NO_TEXT;
  }
}

/** What a page may say of a document and a proof. */
export interface Agreement {
  standing: Standing;
  contradicts: readonly string[];
}

/**
 * Puts a document beside a proof that was asked for by itself, so that a block may have come between the two. What never
 * changes has to be the same in both; where something else differs, one of them is read again before anything is said.
 * @param never differences in what never changes
 * @param now differences in what may have changed between the two
 * @param isSameHeight whether nothing can have changed
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
 * Whether the first of two lists that only grow are the same.
 * @returns `differ` where they are two histories; `longer` where one has gone on
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

type Block = DocumentOf<'/v1/blocks/{height}'>;

/** All that is shown of a block, held against what was proven: the node may have told the page another one than the proof. */
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

/** The hash of a transition as it is shown; null for one that says another, which is none of the block. */
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
