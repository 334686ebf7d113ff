/** Invariants of any chain's database, however the chain ended. */
import { envelopeKind, TOTAL_SUPPLY, stateRoot, type JsonObject } from '@netd/protocol';
import { BUCKETS, type StoredBlock, validateBlock } from '@netd/engine/testing';
import { EMPTY_SOURCE, StateTree, type Store } from '@netd/engine';

/** Returns every fault in blocks, tree, supply and uniqueness of envelopes; empty for a valid chain. */
export function validateChain(store: Store): string[] {
  const genesis = store.genesis();
  if (!genesis) return ['there is no genesis'];
  const faults: string[] = [];
  const envelopes = new Map<string, { height: number; until: number }>();
  const snapshot = store.snapshot();
  try {
    let previous: StoredBlock | null = null;
    for (let height = 0; height <= snapshot.height; height++) {
      const block = snapshot.blockAt(height);
      if (!block) {
        faults.push(`block ${height} is missing`);
        continue;
      }
      const fault = validateBlock(snapshot, block, previous, (at) => snapshot.validatorSetAt(at));
      if (fault !== null) faults.push(`block ${height}: ${fault}`);
      previous = block;
      for (const { text } of snapshot.transitionsOf(height)) {
        const { name, until } = spentBy(text);
        const earlier = envelopes.get(name);
        // A nonce may be reused only after its expiry.
        if (earlier && earlier.until >= height) {
          faults.push(`${name} stands in ${earlier.height} and in ${height}`);
        }
        envelopes.set(name, { height, until });
      }
    }
    const { header } = snapshot.block;
    const pairs = [...snapshot.pairs()].map(({ key, text }) => [key, text] as const);
    if (stateRoot(pairs) !== header.stateRoot) faults.push('the state has another root');
    faults.push(...validateTree(store, pairs));
    const supply = pairs
      .filter(([key]) => key.startsWith('account/'))
      .reduce((sum, [, text]) => sum + (JSON.parse(text) as { balance: number }).balance, 0);
    if (supply !== TOTAL_SUPPLY) faults.push(`the accounts sum to ${supply}`);
  } finally {
    snapshot.close();
  }
  return faults;
}

/** Compares the tree's records with a tree rebuilt from the pairs. */
function validateTree(store: Store, pairs: readonly (readonly [string, string])[]): string[] {
  const { buckets, pages } = new StateTree(EMPTY_SOURCE).update(new Map(pairs), 0);
  const differ = (
    wanted: ReadonlyMap<number, Buffer | null>,
    found: Iterable<{ key: number; value: Uint8Array }>,
  ): boolean => {
    const records = new Map([...found].map(({ key, value }) => [key, Buffer.from(value)]));
    const same = [...wanted].every(([key, record]) => record && records.get(key)?.equals(record));
    return !same || records.size !== wanted.size;
  };
  return [
    ...(differ(buckets, store.buckets(0, BUCKETS))
      ? ['the buckets are not those of the state']
      : []),
    ...(differ(pages, store.treePages()) ? ['the tree pages are not those of the state'] : []),
  ];
}

/** Returns the name that a transition uses up: an agent's id or a text without nonce forever, a nonce until expiry. */
function spentBy(text: string): { name: string; until: number } {
  const envelope = JSON.parse(text) as JsonObject;
  const kind = envelopeKind(envelope);
  if (kind === 'system' || kind === 'application' || kind === 'claim') {
    return { name: text, until: Infinity };
  }
  const { actorId, nonce, action, expiresAtHeight } = envelope as Record<
    string,
    string | number | undefined
  >;
  return action === undefined
    ? { name: `registration ${String(actorId)}`, until: Infinity }
    : { name: `${String(actorId)} ${String(nonce)}`, until: Number(expiresAtHeight) };
}
