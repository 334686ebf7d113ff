/** What an operator knows of a chain from elsewhere than from the nodes that are asked for it. */
import { genesisValidatorSet } from '@netd/ledger';
import { blockHash, genesisHash, type BlockHeader, type Genesis } from '@netd/protocol';
import { OriginUnavailableError, type Origin } from './origin.ts';

/** Each member that is there must hold; none at all leaves a follower that is consistent with itself. */
export interface TrustAnchor {
  genesisHash?: string;
  /** A block that the chain has. */
  block?: AnchorBlock;
  /** The hash of the validator set whose certificates count. */
  validatorSetHash?: string;
}

export interface AnchorBlock {
  height: number;
  blockHash: string;
}

export const isAnchored = ({ genesisHash: hash, block, validatorSetHash }: TrustAnchor): boolean =>
  hash !== undefined || block !== undefined || validatorSetHash !== undefined;

/** Why this genesis cannot be the one of the chain that is trusted, or null. */
export function contradicts(genesis: Genesis, anchor: TrustAnchor): string | null {
  const hash = genesisHash(genesis);
  if (anchor.genesisHash !== undefined && anchor.genesisHash !== hash) {
    return `a chain with the genesis hash ${hash}`;
  }
  const { validatorSetHash } = genesisValidatorSet(genesis);
  if (anchor.validatorSetHash !== undefined && anchor.validatorSetHash !== validatorSetHash) {
    return `a chain with the validator set ${validatorSetHash}`;
  }
  return null;
}

/**
 * Whether an origin has the block that is trusted, and whether the validators of its genesis are those that block names:
 * then they certify whatever comes after it.
 * @throws OriginUnavailableError where it cannot say, OriginFaultError where what it says is no block
 */
export async function lacksBlock(
  origin: Origin,
  genesis: Genesis,
  { height, blockHash: hash }: AnchorBlock,
): Promise<string | null> {
  let header: BlockHeader;
  try {
    ({ header } = await origin.block(height));
  } catch (error) {
    if (!(error instanceof OriginUnavailableError) || error.status !== 404) throw error;
    return `a chain that has no block ${height} yet`;
  }
  if (blockHash(header) !== hash) return `a chain whose block ${height} is ${blockHash(header)}`;
  const { validatorSetHash } = genesisValidatorSet(genesis);
  if (header.chainId !== genesis.chainId || header.validatorSetHash !== validatorSetHash) {
    return `a genesis that is not that of block ${height}`;
  }
  return null;
}
