import { genesisValidatorSet } from '@netd/ledger';
import { blockHash, genesisHash, type BlockHeader, type Genesis } from '@netd/protocol';
import { OriginUnavailableError, type Origin } from './origin.ts';

/** All given members must hold. Without any, the chain is only checked for consistency. */
export interface TrustAnchor {
  genesisHash?: string;
  block?: AnchorBlock;
  validatorSetHash?: string;
}

export interface AnchorBlock {
  height: number;
  blockHash: string;
}

export const isAnchored = ({ genesisHash: hash, block, validatorSetHash }: TrustAnchor): boolean =>
  hash !== undefined || block !== undefined || validatorSetHash !== undefined;

/** Returns how the genesis contradicts the anchor; null if it does not. */
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
 * Returns why an origin lacks the trusted block; null if it has it. That block must name the genesis
 * validators, because they certify everything after it.
 * @throws OriginUnavailableError, OriginFaultError
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
