/** Proofs of presence and absence in the certified state. */
import {
  bytesToHex,
  compareKeyHashes,
  sha256,
  type FinalityCertificate,
  type StateProof,
} from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';
import type { StateTree } from '../store/state-tree.ts';

export type CertifiedStateProof = StateProof & {
  height: number;
  certificate: FinalityCertificate;
};

/**
 * The proof of one key in the state of the snapshot. Call it in the same turn that opened the snapshot: the tree
 * remembers only one block further back than its own.
 */
export function proveState(snapshot: Snapshot, tree: StateTree, key: string): CertifiedStateProof {
  const { header, certificate } = snapshot.block;
  const path = tree.path(key, header.height, (bucket) => snapshot.bucket(bucket));
  const text = snapshot.stateText(key);
  const common = {
    key,
    siblings: path.siblings,
    root: header.stateRoot,
    height: header.height,
    certificate,
  };
  if (text !== undefined) {
    return { ...common, value: JSON.parse(text) as unknown, leaf: { kind: 'present' } };
  }
  if (!path.leaf) return { ...common, value: null, leaf: { kind: 'empty' } };
  if (compareKeyHashes(path.leaf.keyHash, sha256(key)) === 0) {
    throw new Error(`the tree knows ${key}, the state does not`);
  }
  return {
    ...common,
    value: null,
    leaf: {
      kind: 'other',
      keyHash: bytesToHex(path.leaf.keyHash),
      valueHash: bytesToHex(path.leaf.valueHash),
    },
  };
}
