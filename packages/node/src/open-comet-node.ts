import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenFailure } from '@netd/client-limits';
import {
  abortOf,
  DEFAULT_MEMPOOL_LIMITS,
  DRAFT_ENTRIES,
  EngineHost,
  failpointFromPlan,
  Mempool,
  type MempoolLimits,
  removeWritten,
  type RestoreProgress,
  sleep,
  systemClock,
} from '@netd/engine';
import {
  cometThread,
  newestCertificate,
  nodeId,
  openCometChain,
  untilCertified,
  type CometNews,
} from '@netd/engine/cometbft';
import { genesisHash } from '@netd/protocol';
import { forgetStateSync, hasState, syncState } from '@netd/sync/state-sync';
import { CometProxy } from './comet-proxy.ts';
import { openCometDir, type CometDir, type CometDirOptions } from './comet-dir.ts';
import type { CommonNodeOptions, OpenContext, OpenedNode } from './node-options.ts';

export interface CometNodeOptions extends CommonNodeOptions, CometDirOptions {
  /** Milliseconds; default 100. */
  blockTime?: number | undefined;
  /** Milliseconds; default 10,000. The same for all validators of a chain. */
  idleBlockTime?: number | undefined;
  /** Milliseconds between empty blocks of an idle chain. Block time may lag by that much; default 5,000. */
  emptyBlocks?: number | undefined;
  /** Milliseconds that a round waits for its proposal; default 1,000. */
  proposeTimeout?: number | undefined;
  /** Milliseconds that a round waits for late votes; default 200. */
  voteTimeout?: number | undefined;
  admission?: MempoolLimits;
  binary: string;
  /** `host:port` for peers. */
  p2pAddress: string;
  /** `id@host:port` of each peer; may include this node. */
  peers: readonly string[];
  /** Refuses connections of all other nodes. */
  peersOnly?: boolean | undefined;
  /** Nodes for a state sync, if there is no chain yet; default: start at genesis. */
  stateSync?: readonly string[] | undefined;
  /** Milliseconds that a state sync waits for the next offer or part of a state; default three minutes. */
  offerTimeout?: number | undefined;
  onRestore?: (progress: RestoreProgress) => void;
  onBan?: (who: string, reason: string) => void;
  onEngineEnd?: (sentence: string) => void;
  /** Called if a validator has another genesis, and so will never agree. */
  onOtherGenesis?: (sentence: string) => void;
  /** Called if there is no certified block yet. */
  onWaiting?: (peerId: string, genesisHash: string) => void;
}

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;
const DEFAULT_EMPTY_BLOCKS = 5_000;

class EngineAddressError extends Error {
  override name = 'EngineAddressError';
}

/**
 * @throws DataDirError, KeyFileError, CometbftHomeError, EngineAddressError, StoreError; the error that
 * halted it
 */
export async function openCometNode(
  options: CometNodeOptions,
  { events, openStore }: OpenContext,
): Promise<OpenedNode<CometDir>> {
  const { signal, p2pAddress, binary } = options;
  const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
  const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
  await requireFree(p2pAddress);
  const dataDir = openCometDir(options.dataDir, options);
  const { genesis, storePath, engineHome, validator, remoteSigner } = dataDir;
  const ownId = nodeId(engineHome);
  const home = {
    p2pAddress,
    peers: options.peers.filter((peer) => !peer.startsWith(`${ownId}@`)),
    times: {
      commit: blockTime,
      emptyBlocks: options.emptyBlocks ?? DEFAULT_EMPTY_BLOCKS,
      propose: options.proposeTimeout,
      vote: options.voteTimeout,
    },
  };
  await beginWithState(dataDir, { ...options, home, idleBlockTime });
  const store = openStore(dataDir);
  const chain = await openCometChain(store, genesis);
  newestCertificate(store);
  const mempool = new Mempool(options.admission ?? DEFAULT_MEMPOOL_LIMITS);
  const link = cometThread({
    storePath,
    genesis,
    head: chain.head,
    failpoint: options.failpoint,
    binary,
    home: {
      ...home,
      path: engineHome,
      signer:
        remoteSigner === null
          ? validator && { privateKeyPem: validator.privateKey }
          : { listenAddress: remoteSigner },
    },
    peersOnly: options.peersOnly,
    idleBlockTime,
    checkpointsPath: dataDir.checkpointsPath,
  });
  const engineProxy = new CometProxy();
  const halt = Promise.withResolvers<never>();
  halt.promise.catch(() => {});
  let isStarting = true;
  const consensus = new EngineHost<CometNews>({ chain, mempool, store }, link, {
    ...events,
    onHalt: (error) => (isStarting ? halt.reject(error) : events.onHalt(error)),
    onNews: (news) => {
      if (news.is === 'engine-end') options.onEngineEnd?.(news.sentence);
      else if (news.is === 'other-genesis') options.onOtherGenesis?.(news.sentence);
      else engineProxy.take(news);
    },
  });
  await consensus.open();
  try {
    signal?.throwIfAborted();
    consensus.start();
    if (chain.height === 0) options.onWaiting?.(ownId, genesisHash(genesis));
    await Promise.race([untilCertified(chain, store), halt.promise, abortOf(signal)]);
  } catch (error) {
    await consensus.stop();
    throw error;
  }
  isStarting = false;
  return { dataDir, store, chain, mempool, consensus, blockTime, idleBlockTime, engineProxy };
}

async function beginWithState(
  dataDir: CometDir,
  options: CometNodeOptions & Pick<Parameters<typeof syncState>[1], 'home' | 'idleBlockTime'>,
): Promise<void> {
  const dir = { ...dataDir, restorePath: join(dataDir.path, 'restore') };
  if (await hasState(dir.storePath)) {
    removeWritten(dir.restorePath, DRAFT_ENTRIES);
    return;
  }
  forgetStateSync(dir);
  const { stateSync = [], onRestore, onBan, failpoint } = options;
  if (stateSync.length === 0) return;
  const reach = failpointFromPlan(failpoint);
  await syncState(dir, {
    ...options,
    origins: stateSync,
    clock: systemClock,
    onProgress: (progress) => {
      onRestore?.(progress);
      reach(`restore.${progress.phase}`, progress.done);
    },
    onStep: (step) => reach(`restore.${step}`, 0),
    onBan: (who, reason) => onBan?.(who, reason),
  });
}

/** A CometBFT whose node was killed ends, and frees the port, moments later. */
const LOOKS = 20;
const LOOK_MILLISECONDS = 300;

/** @throws EngineAddressError if another process has the port, or the address is not this machine's */
async function requireFree(address: string): Promise<void> {
  const end = address.lastIndexOf(':');
  const host = address.slice(0, end).replace(/^\[|\]$/g, '');
  const port = Number(address.slice(end + 1));
  for (let look = 1; ; look++) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') {
        const sentence = listenFailure(error, { host, port }, '--p2p');
        throw sentence === null ? error : new EngineAddressError(sentence, { cause: error });
      }
      if (look === LOOKS) {
        throw new EngineAddressError(
          `port ${port} on ${host}, where peers are to connect, is in use: another node has it, or one of this data directory is still ending; choose another with --p2p`,
          { cause: error },
        );
      }
    } finally {
      server.close();
    }
    await sleep(systemClock, LOOK_MILLISECONDS);
  }
}
