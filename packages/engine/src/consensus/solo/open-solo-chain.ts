/** Opens the chain of a store and puts together what makes its blocks. */
import { timestampToMs, type Genesis } from '@netd/protocol';
import { Chain, type BlockCommitter } from '../../chain/chain.ts';
import { ChainClock } from '../../chain/chain-clock.ts';
import { LabClock } from '../../chain/lab-clock.ts';
import { statementOf } from '../../chain/signer.ts';
import { BlockExecutor } from '../../executor/block-executor.ts';
import { identityOf } from '../../executor/chain-identity.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Store } from '../../store/store.ts';
import type { ConsensusParts } from '../consensus.ts';
import { SoloConsensus, type SoloOptions, type SoloParts } from './solo-consensus.ts';

export interface SoloChainOptions extends SoloOptions {
  store: Store;
  genesis: Genesis;
  committer: BlockCommitter;
  mempool: Mempool;
}

/** The chain, and all that its blocks are made of, in this thread. */
export interface SoloChain extends ConsensusParts {
  consensus: SoloConsensus;
}

/**
 * Opens the chain of a store, or starts it with a block 0 of this validator.
 * @throws StoreError where the store holds another chain
 */
export function openCertifiedChain({
  store,
  genesis,
  signer,
  committer,
}: Pick<SoloChainOptions, 'store' | 'genesis' | 'signer' | 'committer'>): Promise<Chain> {
  return Chain.open({
    store,
    genesis,
    committer,
    certifyGenesis: (header, hash) =>
      signer.certify(statementOf(header, hash), identityOf(genesis).validatorSet),
  });
}

/** @throws StoreError where the store holds another chain, or its tree does not match its head */
export async function openSoloChain(options: SoloChainOptions): Promise<SoloChain> {
  const chain = await openCertifiedChain(options);
  const clock =
    options.genesis.laboratory === true
      ? new LabClock(timestampToMs(chain.head.timestamp), options.clock)
      : options.clock;
  const parts: SoloParts = {
    chain,
    chainClock: new ChainClock(clock, options.onClockFault),
    executor: BlockExecutor.load(chain.identity, options.store, chain.head),
    mempool: options.mempool,
  };
  sayHowTheClockStarts(parts, options);
  return { ...parts, consensus: new SoloConsensus(parts, { ...options, clock }) };
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
