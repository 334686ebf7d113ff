/** What a block stands on: its predecessor, and a time after it. */
import type { BlockContext } from '@netd/ledger';
import { blockHash, msToTimestamp, timestampToMs, type BlockHeader } from '@netd/protocol';

export interface Tip {
  height: number;
  blockHash: string;
  stateRoot: string;
  timestamp: string;
}

/** @param hash of the header, where it is known: a block has it before any certificate names it */
export function tipOf(header: BlockHeader, hash: string = blockHash(header)): Tip {
  return {
    height: header.height,
    blockHash: hash,
    stateRoot: header.stateRoot,
    timestamp: header.timestamp,
  };
}

/**
 * The context in which the block after `tip` executes: time never stands still or runs back.
 * @param now milliseconds since 1970
 */
export function nextContext(tip: Tip, now: number): BlockContext {
  const time = Math.max(now, timestampToMs(tip.timestamp) + 1);
  return {
    height: tip.height + 1,
    time,
    timestamp: msToTimestamp(time),
    previousBlockHash: tip.blockHash,
  };
}
