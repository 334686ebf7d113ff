/** Opens the chain of a store and puts together what makes its blocks. */
import type { Genesis } from '@netd/protocol';
import { Chain, type BlockCommitter } from '../../chain/chain.ts';
import { ChainClock } from '../../chain/chain-clock.ts';
import { BlockExecutor } from '../../executor/block-executor.ts';
import { Mempool, type MempoolLimits } from '../../mempool/mempool.ts';
import type { Store } from '../../store/store.ts';
import type { Consensus, ConsensusParts } from '../consensus.ts';
import { SoloConsensus, type SoloOptions } from './solo-consensus.ts';

export interface SoloChainOptions extends SoloOptions {
  store: Store;
  genesis: Genesis;
  committer: BlockCommitter;
  mempoolLimits: MempoolLimits;
  /** Told in a sentence when the clock dates no more blocks, and with null when it does again. */
  onClockFault: (fault: string | null) => void;
}

/** @throws Error where the store holds another chain; StoreError where its tree does not match its head */
export async function openSoloChain(
  options: SoloChainOptions,
): Promise<ConsensusParts & { consensus: Consensus }> {
  const chain = await Chain.open(options);
  const parts: ConsensusParts = {
    chain,
    chainClock: new ChainClock(options.clock, options.onClockFault),
    executor: BlockExecutor.load(chain.identity, options.store, chain.head),
    mempool: new Mempool(options.mempoolLimits),
  };
  return { ...parts, consensus: new SoloConsensus(parts, options) };
}
