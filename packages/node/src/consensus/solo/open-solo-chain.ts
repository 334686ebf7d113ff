/** Opens the chain of a store and puts together what makes its blocks. */
import { timestampToMs, type Genesis } from '@netd/protocol';
import { Chain, type BlockCommitter } from '../../chain/chain.ts';
import { ChainClock } from '../../chain/chain-clock.ts';
import { statementOf } from '../../chain/signer.ts';
import { BlockExecutor } from '../../executor/block-executor.ts';
import { identityOf } from '../../executor/chain-identity.ts';
import { Mempool, type MempoolLimits } from '../../mempool/mempool.ts';
import type { Store } from '../../store/store.ts';
import type { OpenedChain } from '../consensus.ts';
import { SoloConsensus, type SoloOptions, type SoloParts } from './solo-consensus.ts';

export interface SoloChainOptions extends SoloOptions {
  store: Store;
  genesis: Genesis;
  committer: BlockCommitter;
  mempoolLimits: MempoolLimits;
  /** Told in a sentence when the clock dates no more blocks, and with null when it does again. */
  onClockFault: (fault: string | null) => void;
  /** Told in a sentence what is odd about the clock at the start, though blocks are made. */
  onClockNotice: (notice: string) => void;
}

/** @throws Error where the store holds another chain; StoreError where its tree does not match its head */
export async function openSoloChain(options: SoloChainOptions): Promise<OpenedChain> {
  const { genesis, signer } = options;
  const chain = await Chain.open({
    ...options,
    certifyGenesis: (header, hash) =>
      signer.certify(statementOf(header, hash), identityOf(genesis).validatorSet),
  });
  const parts: SoloParts = {
    chain,
    chainClock: new ChainClock(options.clock, options.onClockFault),
    executor: BlockExecutor.load(chain.identity, options.store, chain.head),
    mempool: new Mempool(options.mempoolLimits),
  };
  sayHowTheClockStarts(parts, options);
  return { ...parts, consensus: new SoloConsensus(parts, options) };
}

/** Before the first block: a clock that is behind stops block time, one that is far ahead is only said. */
function sayHowTheClockStarts(
  { chain, chainClock }: SoloParts,
  { onClockNotice }: SoloChainOptions,
): void {
  const { height, timestamp } = chain.head;
  const lastBlockTime = timestampToMs(timestamp);
  chainClock.read(lastBlockTime);
  // The first block of a chain is of the time its genesis names, which may be long ago.
  const notice = height === 0 ? null : chainClock.resume(lastBlockTime);
  if (notice !== null) onClockNotice(notice);
}
