/** Replays a chain as a pure function, so that every replay gives the same bytes. */
import {
  blockHash,
  Hash,
  Height,
  MAX_FACTS_BYTES,
  merkleRoot,
  type BlockHeader,
} from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { defineFormat } from './document.ts';

export const ChainReplay = Type.Object(
  {
    schema: Type.Literal('NET-CHAIN-REPLAY/1'),
    chainId: Type.String({ minLength: 1, maxLength: 64 }),
    from: Type.Integer({ ...Height, description: 'The first height replayed.' }),
    to: Type.Integer({ ...Height, description: 'The last height replayed.' }),
    blocksRoot: Type.String({ ...Hash, description: 'RFC 6962 over the hashes of these blocks.' }),
    transitionCount: Type.Integer({ minimum: 0, description: 'Transitions in these blocks.' }),
    stateRoot: Type.String({ ...Hash, description: 'The state root after the last of them.' }),
  },
  {
    title: 'ChainReplay',
    additionalProperties: false,
    description: 'The digest of a range of blocks replayed.',
  },
);
export type ChainReplay = Static<typeof ChainReplay>;

export const chainReplay = defineFormat(ChainReplay, { maxBytes: MAX_FACTS_BYTES });

/**
 * @param headers of all heights in order, with the replayed state roots
 * @throws RangeError if they are empty or not consecutive
 */
export function replayDigest(headers: readonly BlockHeader[]): ChainReplay {
  const first = headers[0];
  const last = headers.at(-1);
  if (!first || !last) throw new RangeError('a range has at least one block');
  const hashes = headers.map(blockHash);
  for (let i = 1; i < headers.length; i++) {
    if (headers[i]?.previousBlockHash !== hashes[i - 1]) {
      throw new RangeError(`block ${first.height + i} does not follow the one before`);
    }
  }
  return {
    schema: 'NET-CHAIN-REPLAY/1',
    chainId: first.chainId,
    from: first.height,
    to: last.height,
    blocksRoot: merkleRoot(hashes),
    transitionCount: headers.reduce((sum, { transitionCount }) => sum + transitionCount, 0),
    stateRoot: last.stateRoot,
  };
}
