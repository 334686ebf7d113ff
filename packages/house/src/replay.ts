/** What a range of blocks comes to, from headers whose chain of hashes ends in a certified block. */
import { replayDigest, type ChainReplay } from '@netd/formats';
import { blockHash, genesisHash, makeValidatorSet, verifyCertificate } from '@netd/protocol';
import type { DocumentOf, NetClient } from '@netd/sdk';

/** Beyond it a verifier says that it cannot tell. */
const MAX_BLOCKS = 500;
const BATCH = 16;

type Header = DocumentOf<'/v1/blocks/{height}'>['header'];

/**
 * The digest of a range, null where it is longer than is checked here or has not happened. A validator set that the
 * genesis names certifies the last block, every other follows from hashes; the transitions themselves are not executed
 * again, as `netd verify` does.
 */
export async function digestOf(
  client: NetClient,
  { from, to }: { from: number; to: number },
): Promise<ChainReplay | null> {
  const status = await client.network();
  if (to - from >= MAX_BLOCKS || to > status.height) return null;
  // Of each block its header only: a stranger chooses the range, and all of it need not fit into memory.
  const headers: Header[] = [];
  let last: DocumentOf<'/v1/blocks/{height}'>['certificate'] | null = null;
  for (let first = from; first <= to; first += BATCH) {
    const heights = Array.from({ length: Math.min(BATCH, to - first + 1) }, (_, i) => first + i);
    const batch = heights.map(async (height) => {
      const { header, certificate } = await client.read('/v1/blocks/{height}', { height });
      if (height === to) last = certificate;
      return header;
    });
    headers.push(...(await Promise.all(batch)));
  }
  const genesis = await client.read('/v1/genesis');
  const set = makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
  const newest = headers.at(-1);
  const certificate = last as DocumentOf<'/v1/blocks/{height}'>['certificate'] | null;
  if (
    !newest ||
    !certificate ||
    genesisHash(genesis) !== status.genesisHash ||
    blockHash(newest) !== certificate.blockHash ||
    !verifyCertificate(certificate, set, set.validatorSetHash).ok
  ) {
    throw new Error(`the blocks ${from} to ${to} are not certified as they are shown`);
  }
  return replayDigest(headers);
}
