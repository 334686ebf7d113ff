/** The node of one validator among several: keys in its data directory, blocks that CometBFT decides. */
import { join } from 'node:path';
import { DEFAULT_MEMPOOL_LIMITS, Mempool, type WritingParts } from '@netd/engine';
import { CometConsensus } from '@netd/engine/cometbft';
import { openDataDir, type ValidatorDir } from './data-dir.ts';
import type { EngineOptions, NodeKind, NodeOptions } from './node-kind.ts';

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;
/** Between blocks of an idle CometBFT: block time lags behind by as much. */
const EMPTY_BLOCKS = 5_000;

export function cometbftKind(
  options: NodeOptions,
  engine: EngineOptions,
): NodeKind<ValidatorDir, WritingParts> {
  const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
  const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
  return {
    blockTime,
    idleBlockTime,
    openDataDir: (clock) => openDataDir(options.dataDir, { now: () => clock.now() }),
    parts: (writing) => writing,
    async openChain({ committer }, world) {
      const { dataDir, store, clock, onBlockFailure, onHalt } = world;
      const mempool = new Mempool(options.admission ?? DEFAULT_MEMPOOL_LIMITS);
      const consensus = await CometConsensus.open({
        store,
        genesis: dataDir.genesis,
        committer,
        mempool,
        clock,
        binary: engine.binary,
        home: {
          path: join(dataDir.path, 'cometbft'),
          p2pAddress: engine.p2pAddress,
          peers: engine.peers,
          privateKeyPem: dataDir.validator.privateKey,
          times: { commit: blockTime, emptyBlocks: EMPTY_BLOCKS },
        },
        idleBlockTime,
        onBlockFailure,
        onHalt,
        ...(engine.onEngineEnd && { onEngineEnd: engine.onEngineEnd }),
      });
      // Before the validators have met there is nothing certified to serve.
      consensus.start();
      await consensus.certified();
      return { chain: consensus.ledger.chain, mempool, consensus };
    },
  };
}
