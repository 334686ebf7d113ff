import type { BlockContext } from '@netd/ledger';
import { blockHash, msToTimestamp, timestampToMs, type BlockHeader } from '@netd/protocol';

export interface Tip {
  height: number;
  blockHash: string;
  stateRoot: string;
  timestamp: string;
}

export function tipOf(header: BlockHeader, hash: string = blockHash(header)): Tip {
  return {
    height: header.height,
    blockHash: hash,
    stateRoot: header.stateRoot,
    timestamp: header.timestamp,
  };
}

/**
 * Returns the context of the next block, whose time is at least 1 ms later.
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
