/** Opens the node of one validator among several: keys in its data directory, blocks that CometBFT decides. */
import { join } from 'node:path';
import { DEFAULT_MEMPOOL_LIMITS, EngineHost, Mempool } from '@netd/engine';
import {
  cometThread,
  newestCertificate,
  openCometChain,
  untilCertified,
  type CometNews,
} from '@netd/engine/cometbft';
import { openDataDir, type ValidatorDir } from './data-dir.ts';
import type { EngineOptions, NodeOptions, NodeWorld, OpenedNode } from './node-options.ts';

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;
/** Between blocks of an idle CometBFT: block time lags behind by as much. */
const EMPTY_BLOCKS = 5_000;

/** @throws StoreError where the store holds another chain; Error where a socket cannot be made */
export async function openCometbftValidator(
  options: NodeOptions,
  engine: EngineOptions,
  { clock, events, openStore }: NodeWorld,
): Promise<OpenedNode<ValidatorDir>> {
  const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
  const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
  const dataDir = openDataDir(options.dataDir, { now: () => clock.now() });
  const { genesis, storePath } = dataDir;
  const store = openStore(dataDir);
  // Block 0 is made here, all others by the engine.
  const chain = await openCometChain(store, genesis);
  newestCertificate(store);
  const mempool = new Mempool(options.admission ?? DEFAULT_MEMPOOL_LIMITS);
  const link = cometThread({
    storePath,
    genesis,
    head: chain.head,
    failpoint: options.failpoint,
    binary: engine.binary,
    home: {
      path: join(dataDir.path, 'cometbft'),
      p2pAddress: engine.p2pAddress,
      peers: engine.peers,
      privateKeyPem: dataDir.validator.privateKey,
      times: { commit: blockTime, emptyBlocks: EMPTY_BLOCKS },
    },
    idleBlockTime,
  });
  const consensus = new EngineHost<CometNews>({ chain, mempool, store }, link, {
    ...events,
    onNews: ({ sentence }) => engine.onEngineEnd?.(sentence),
  });
  await consensus.open();
  // Before the validators have met there is nothing certified to serve.
  consensus.start();
  await untilCertified(chain, store);
  return { dataDir, store, chain, mempool, consensus, blockTime, idleBlockTime };
}
