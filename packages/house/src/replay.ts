import { replayDigest, whyUnjudgeable, type ChainReplay } from '@netd/formats';
import { blockHash } from '@netd/protocol';
import { VerifiedReader, type DocumentOf, type NetClient } from '@netd/sdk';

const BATCH = 16;

type Header = DocumentOf<'/v1/blocks/{height}'>['header'];

/**
 * Returns the digest of a range of blocks; null if the range is too long or in the future. The certificate of
 * the last block covers the others by hash links. Unlike `netd verify`, it does not replay transitions.
 */
export async function digestOf(
  client: NetClient,
  { from, to }: { from: number; to: number },
): Promise<ChainReplay | null> {
  const status = await client.network();
  const means = { height: status.height, answersQuestions: false };
  if (whyUnjudgeable({ kind: 'chain-replay', from, to }, means) !== null) return null;
  // Keep only the headers, because a stranger chooses the range.
  const headers: Header[] = [];
  for (let first = from; first <= to; first += BATCH) {
    const heights = Array.from({ length: Math.min(BATCH, to - first + 1) }, (_, i) => first + i);
    const batch = heights.map(async (height) => {
      const { header } = await client.read('/v1/blocks/{height}', { height });
      return header;
    });
    headers.push(...(await Promise.all(batch)));
  }
  const { genesisHash } = status;
  const { certificate } = await new VerifiedReader(client, { genesisHash }).readBlock(to);
  const newest = headers.at(-1);
  if (!newest || blockHash(newest) !== certificate.blockHash) {
    throw new Error(`the blocks ${from} to ${to} are not certified as they are shown`);
  }
  return replayDigest(headers);
}
