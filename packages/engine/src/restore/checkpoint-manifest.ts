import { blockHash, compileSchema, hashWithout, merkleRoot, StateCheckpoint } from '@netd/protocol';
import type { RestorePoint } from './chunk-files.ts';

const violations = compileSchema(StateCheckpoint);

export function validateCheckpoint(checkpoint: StateCheckpoint, chainId: string): string | null {
  if (violations(checkpoint) !== null) return 'is not of the shape it should have';
  const { byteLength, chunkSize, chunkCount, chunkHashes, chunksRoot } = checkpoint;
  if (checkpoint.chainId !== chainId) return `is of the chain ${checkpoint.chainId}`;
  if (hashWithout(checkpoint, 'checkpointHash') !== checkpoint.checkpointHash) {
    return 'does not hash to its checkpointHash';
  }
  const isCounted =
    chunkCount === chunkHashes.length && chunkCount === Math.ceil(byteLength / chunkSize);
  if (!isCounted) return 'has another number of chunks than it says';
  return merkleRoot(chunkHashes) === chunksRoot ? null : 'has another chunksRoot than its chunks';
}

export function isIntact({ checkpoint, blocks }: RestorePoint, chainId: string): boolean {
  const [first] = blocks;
  return (
    validateCheckpoint(checkpoint, chainId) === null &&
    first !== undefined &&
    blockHash(first.header) === checkpoint.blockHash
  );
}
