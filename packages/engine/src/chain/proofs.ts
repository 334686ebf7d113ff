import {
  bytesToHex,
  sha256Hex,
  stateKeyHash,
  type FinalityCertificate,
  type StateProof,
} from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';
import { statePath } from '../store/tree/state-path.ts';
import { StoreError } from '../store/store-error.ts';

export type CertifiedStateProof = StateProof & {
  height: number;
  certificate: FinalityCertificate;
};

/** @throws StoreError if the state on disk does not match the block's state root */
export function proveState(snapshot: Snapshot, key: string): CertifiedStateProof {
  const { header, certificate } = snapshot.block;
  const { siblings, leaf } = statePath(snapshot, header, key);
  const stands = leaf && {
    keyHash: bytesToHex(leaf.keyHash),
    valueHash: bytesToHex(leaf.valueHash),
  };
  const text = snapshot.stateText(key) ?? null;
  const inTree = stands?.keyHash === stateKeyHash(key) ? stands.valueHash : null;
  if (inTree !== (text === null ? null : sha256Hex(text))) {
    throw new StoreError(
      `the record ${key} is not the one of the state tree at height ${header.height}; run netd verify`,
    );
  }
  const common = { key, siblings, root: header.stateRoot, height: header.height, certificate };
  if (text !== null) return { ...common, value: JSON.parse(text), leaf: { kind: 'present' } };
  return {
    ...common,
    value: null,
    leaf: stands ? { kind: 'other', ...stands } : { kind: 'empty' },
  };
}
