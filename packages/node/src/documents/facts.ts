/** What every read document starts with. */
import type { Snapshot } from '../store/snapshot.ts';

export interface DocumentHead<Name extends string> {
  schema: Name;
  chainId: string;
  height: number;
}

export function documentHead<Name extends string>(
  snapshot: Snapshot,
  schema: Name,
): DocumentHead<Name> {
  const { chainId, height } = snapshot.block.header;
  return { schema, chainId, height };
}

export interface SnapshotFacts {
  height: number;
  stateRoot: string;
  blockHash: string;
  certificateHash: string;
}

export function snapshotFacts(snapshot: Snapshot): SnapshotFacts {
  const { header, certificate } = snapshot.block;
  return {
    height: header.height,
    stateRoot: header.stateRoot,
    blockHash: certificate.blockHash,
    certificateHash: certificate.certificateHash,
  };
}
