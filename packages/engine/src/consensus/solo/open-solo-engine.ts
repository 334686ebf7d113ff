import { timestampToMs, type Genesis } from '@netd/protocol';
import { Chain, type BlockCommitter } from '../../chain/chain.ts';
import { ChainClock } from '../../chain/chain-clock.ts';
import { LabClock } from '../../chain/lab-clock.ts';
import { statementOf, type Signer } from '../../chain/signer.ts';
import { BlockExecutor } from '../../executor/block-executor.ts';
import { identityOf } from '../../executor/chain-identity.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Store } from '../../store/store.ts';
import type { ConsensusParts } from '../consensus.ts';
import type { EngineSide } from '../host/run-engine.ts';
import { SoloConsensus, type SoloOptions, type SoloParts } from './solo-consensus.ts';

interface CertifiedChainParts {
  store: Store;
  genesis: Genesis;
  signer: Signer;
}

export interface SoloEngineParts
  extends CertifiedChainParts, Omit<SoloOptions, 'onBlockFailure' | 'onHalt' | 'store'> {
  committer: BlockCommitter;
}

export interface SoloEngine extends ConsensusParts {
  consensus: SoloConsensus;
}

/** @throws StoreError if the store holds another chain */
export function openCertifiedChain(
  { store, genesis, signer }: CertifiedChainParts,
  committer: BlockCommitter = store,
): Promise<Chain> {
  return Chain.open({
    store,
    genesis,
    committer,
    certifyGenesis: (header, hash) =>
      signer.certify(statementOf(header, hash), identityOf(genesis).genesisSet),
  });
}

/** @throws StoreError if the store holds another chain, or its tree does not match its head */
export async function openSoloEngine(
  options: SoloEngineParts,
  side: EngineSide<never>,
): Promise<SoloEngine> {
  const { mempool, onBlockFailure, onHalt, noteStatus } = side;
  if (options.genesis.policy.validatorSet) {
    throw new StoreError(
      'the validators of this chain change: several of them order it, with netd start --engine cometbft or netd testnet',
    );
  }
  const chain = await openCertifiedChain(options, side.tracked(options.committer));
  const lastBlockTime = timestampToMs(chain.head.timestamp);
  const clock =
    options.genesis.laboratory === true
      ? new LabClock(lastBlockTime, options.clock)
      : options.clock;
  const chainClock = new ChainClock(clock, noteStatus);
  const executor = BlockExecutor.load(chain.identity, options.store, chain.head);
  const parts: SoloParts = { chain, chainClock, executor, mempool };
  // The first block has the genesis time, which may be long ago.
  if (chain.height > chain.identity.firstHeight) chainClock.resume(lastBlockTime);
  return {
    ...parts,
    consensus: new SoloConsensus(parts, { ...options, clock, onBlockFailure, onHalt }),
  };
}
