import { blockHash, Hash, Height } from '@netd/protocol';
import { exactly, Type, type Static, type TObject, type TProperties } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

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

export const BlockFacts = exactly(
  { height: Height, blockHash: Hash, stateRoot: Hash },
  { title: 'BlockFacts' },
);

export const SnapshotFacts = exactly(
  { height: Height, stateRoot: Hash, blockHash: Hash, certificateHash: Hash },
  { title: 'Snapshot', description: 'The certified block the document is a function of.' },
);
export type SnapshotFacts = Static<typeof SnapshotFacts>;

export function documentSchema(
  name: string,
  properties: TProperties,
  description: string,
): TObject {
  return exactly(
    { schema: Type.Literal(name), chainId: Type.String(), height: Height, ...properties },
    { description },
  );
}

export function snapshotFacts(snapshot: Snapshot): SnapshotFacts {
  const { header, certificate } = snapshot.block;
  return {
    height: header.height,
    stateRoot: header.stateRoot,
    blockHash: blockHash(header),
    certificateHash: certificate.certificateHash,
  };
}
