/** The node of one validator: keys in its data directory, blocks of its own. */
import { genesisHash } from '@netd/protocol';
import {
  blockHashIn,
  type BlockTimes,
  type Chain,
  DEFAULT_MEMPOOL_LIMITS,
  failpointFromPlan,
  Mempool,
  type NodeParts,
  openCertifiedChain,
  type OpenedChain,
  openSoloChain,
  ProducerThread,
  requireLastSigned,
  SigningRecord,
  type SoloChainOptions,
  type SoloEvents,
  SoloSigner,
  StateTree,
  withFailpoints,
} from '@netd/engine';
import { openDataDir, type ValidatorDir } from './data-dir.ts';
import type { NodeKind, NodeOptions } from './node-kind.ts';

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;

export function soloKind(options: NodeOptions): NodeKind<ValidatorDir, NodeParts> {
  const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
  const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
  return {
    blockTime,
    idleBlockTime,
    openDataDir: (clock) =>
      openDataDir(options.dataDir, {
        ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
        ...(options.open === undefined ? {} : { open: options.open }),
        ...(options.laboratory === undefined ? {} : { laboratory: options.laboratory }),
        ...(options.genesisTimes === undefined ? {} : { genesisTimes: options.genesisTimes }),
        now: () => clock.now(),
      }),
    parts(writing, { validator }) {
      const signer = new SoloSigner(validator.actorId, validator.privateKey);
      return withFailpoints({ signer, ...writing }, failpointFromPlan(options.failpoint));
    },
    openChain({ signer, committer }, world) {
      const { genesis } = world.dataDir;
      const events: SoloEvents = {
        ...world,
        onClockFault: (fault) => {
          world.metrics.clockFault = fault === null ? 0 : 1;
          options.onClockFault?.(fault);
        },
        onClockNotice: (notice) => options.onClockFault?.(notice),
      };
      const mempool = new Mempool(options.admission ?? DEFAULT_MEMPOOL_LIMITS);
      const times = { blockTime, idleBlockTime };
      const parts = { ...world, genesis, signer, committer, mempool };
      return options.clock
        ? openHere({ ...parts, ...times, ...events })
        : openOnThread({ ...parts, ...times, ...events, failpoint: options.failpoint });
    },
  };
}

/** Block 0 and all others are made in this thread. */
async function openHere(
  options: Omit<SoloChainOptions, 'signedBlocks'> & { dataDir: ValidatorDir },
): Promise<OpenedChain> {
  const { dataDir } = options;
  await openOwnChain(options);
  if (isUnrecorded(dataDir)) return openSoloChain(options);
  const signedBlocks = new SigningRecord(dataDir.lastSignedPath, genesisHash(dataDir.genesis));
  return openSoloChain({ ...options, signedBlocks });
}

/** A laboratory's history is nobody's to rely on: its validator keeps no record of what it has signed. */
const isUnrecorded = ({ genesis }: ValidatorDir): boolean => genesis.laboratory === true;

/** @throws DataDirError where the chain has not all that its validator has signed */
async function openOwnChain(
  options: Parameters<typeof openCertifiedChain>[0] & { dataDir: ValidatorDir },
): Promise<Chain> {
  const { store, dataDir } = options;
  const chain = await openCertifiedChain(options);
  if (isUnrecorded(dataDir)) return chain;
  requireLastSigned(dataDir.lastSignedPath, {
    genesisHash: genesisHash(dataDir.genesis),
    head: chain.head,
    blockHashAt: blockHashIn(store),
  });
  return chain;
}

/** Block 0 is made here, all others on a thread of their own. */
async function openOnThread(
  options: Parameters<typeof openCertifiedChain>[0] &
    BlockTimes &
    SoloEvents & { dataDir: ValidatorDir; mempool: Mempool; failpoint: string | undefined },
): Promise<OpenedChain> {
  const { store, genesis, dataDir, mempool, failpoint, blockTime, idleBlockTime } = options;
  const chain = await openOwnChain(options);
  // The thread does the same, a quarter of a second later: a start that cannot go on is to say so at once.
  new StateTree(store).open(chain.head);
  const data = {
    storePath: dataDir.storePath,
    genesis,
    head: chain.head,
    validatorId: dataDir.validator.actorId,
    validatorKey: dataDir.validator.privateKey,
    ...(isUnrecorded(dataDir) ? {} : { lastSignedPath: dataDir.lastSignedPath }),
    failpoint,
    blockTime,
    idleBlockTime,
  };
  const consensus = new ProducerThread({ chain, mempool, store }, data, options);
  return { chain, mempool, consensus };
}
