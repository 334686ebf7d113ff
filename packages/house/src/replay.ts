/** What a range of blocks comes to, from headers whose chain of hashes ends in a certified block. */
import { replayDigest, whyUnjudgeable, type ChainReplay } from '@netd/formats';
import { blockHash } from '@netd/protocol';
import { VerifiedReader, type DocumentOf, type NetClient } from '@netd/sdk';

const BATCH = 16;

type Header = DocumentOf<'/v1/blocks/{height}'>['header'];

/**
 * The digest of a range, null where it is longer than is checked here or has not happened. The validators that the genesis
 * names, or that have followed them, certify the last block; every other follows from hashes. The transitions themselves
 * are not executed again, as `netd verify` does.
 */
export async function digestOf(
  client: NetClient,
  { from, to }: { from: number; to: number },
): Promise<ChainReplay | null> {
  const status = await client.network();
  const means = { height: status.height, answersQuestions: false };
  if (whyUnjudgeable({ kind: 'chain-replay', from, to }, means) !== null) return null;
  // Of each block its header only: a stranger chooses the range, and all of it need not fit into memory.
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
