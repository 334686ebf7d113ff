import { genesisHash } from '@netd/protocol';
import {
  blockHashIn,
  committerWithFailpoints,
  DEFAULT_MEMPOOL_LIMITS,
  EngineHost,
  LocalEngine,
  LOOK_MILLISECONDS,
  Mempool,
  openCertifiedChain,
  openSoloEngine,
  producerThread,
  requireLastSigned,
  SigningRecord,
  signerWithFailpoints,
  SoloSigner,
  StateTree,
} from '@netd/engine';
import { openDataDir, type ValidatorDir } from './data-dir.ts';
import { requireForkBase, requireNoHalfFork, takeFork } from './fork-dir.ts';
import type { NodeOptions, OpenContext, OpenedNode } from './node-options.ts';

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;

/** @throws DataDirError if the chain lacks blocks that its validator has signed; StoreError */
export async function openValidator(
  options: NodeOptions,
  { clock, failpoint, events, openStore }: OpenContext,
): Promise<OpenedNode<ValidatorDir>> {
  const { forkFrom } = options;
  if (!forkFrom) requireNoHalfFork(options.dataDir);
  // A suffixed id differs from the origin's in any case.
  const chainId = options.unique === true ? undefined : options.chainId;
  const fork = forkFrom && (await takeFork(options.dataDir, { ...forkFrom, chainId }, clock));
  const dataDir = openDataDir(options.dataDir, {
    ...(fork ? { fork } : {}),
    ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
    ...(options.unique === undefined ? {} : { unique: options.unique }),
    ...(options.open === undefined ? {} : { open: options.open }),
    ...(options.laboratory === undefined ? {} : { laboratory: options.laboratory }),
    now: () => clock.now(),
  });
  const { genesis, validator, lastSignedPath } = dataDir;
  const times = {
    blockTime: options.blockTime ?? DEFAULT_BLOCK_TIME,
    idleBlockTime: options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME,
  };
  const signer = signerWithFailpoints(
    new SoloSigner(validator.actorId, validator.privateKey),
    failpoint,
  );
  await requireForkBase(dataDir);
  const store = openStore(dataDir);
  // Makes only the first block.
  const chain = await openCertifiedChain({ store, genesis, signer });
  const { head } = chain;
  const isRecorded = genesis.laboratory !== true;
  if (isRecorded) {
    requireLastSigned(lastSignedPath, {
      genesisHash: genesisHash(genesis),
      head,
      blockHashAt: blockHashIn(store),
    });
  }
  const mempool = new Mempool(options.admission ?? DEFAULT_MEMPOOL_LIMITS);
  const parts = { chain, mempool, store, laboratory: genesis.laboratory === true ? clock : null };
  let consensus: EngineHost;
  if (options.clock) {
    const committer = committerWithFailpoints(store, failpoint);
    const recorded = isRecorded && {
      signedBlocks: new SigningRecord(lastSignedPath, genesisHash(genesis)),
    };
    const solo = { store, genesis, signer, committer, clock, ...recorded, ...times };
    const link = new LocalEngine<never>({ head, lookEvery: LOOK_MILLISECONDS }, (side) =>
      openSoloEngine(solo, side),
    );
    consensus = new EngineHost(parts, link, events);
    await consensus.open();
  } else {
    // The thread checks this too, but a moment later.
    new StateTree(store).open(head);
    const link = producerThread({
      storePath: dataDir.storePath,
      genesis,
      head,
      validatorId: validator.actorId,
      validatorKey: validator.privateKey,
      ...(isRecorded && { lastSignedPath }),
      failpoint: options.failpoint,
      ...times,
    });
    consensus = new EngineHost(parts, link, events);
  }
  return { dataDir, store, chain, mempool, consensus, ...times };
}
