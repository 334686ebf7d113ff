import type { TreeWrites } from './tree/state-tree.ts';

export interface StateChanges {
  /** Canonical JSON by state key; null for a deletion. */
  changes: ReadonlyMap<string, string | null>;
  before: (key: string) => unknown;
  after: (key: string) => unknown;
  tree: TreeWrites;
}

/** Merges the changes of consecutive blocks. */
export function mergedChanges(blocks: readonly StateChanges[]): StateChanges {
  const [first] = blocks;
  if (first && blocks.length === 1) return first;
  return {
    changes: merged(blocks.map(({ changes }) => changes)),
    before: (key) => blocks.find(({ changes }) => changes.has(key))?.before(key),
    after: (key) => blocks.findLast(({ changes }) => changes.has(key))?.after(key),
    tree: {
      buckets: merged(blocks.map(({ tree }) => tree.buckets)),
      pages: merged(blocks.map(({ tree }) => tree.pages)),
    },
  };
}

function merged<Key, Value>(maps: readonly ReadonlyMap<Key, Value>[]): Map<Key, Value> {
  const all = new Map<Key, Value>();
  for (const map of maps) for (const [key, value] of map) all.set(key, value);
  return all;
}
