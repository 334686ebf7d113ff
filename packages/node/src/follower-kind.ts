/** The node that follows others: their blocks, verified, in a database of its own. */
import {
  DEFAULT_MEMPOOL_LIMITS,
  failpointFromPlan,
  Mempool,
  type OpenedChain,
  type WritingParts,
  writingWithFailpoints,
} from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import type { CommonNodeOptions, NodeKind } from './node-kind.ts';
import {
  type BlockTimes,
  endedBy,
  type FollowedChainOptions,
  type FollowerEvents,
  FollowError,
  FollowerThread,
  type FollowProgress,
  httpTransport,
  openCopy,
  openFollowedChain,
  type PresenceOptions,
  type RestoreProgress,
  restoreState,
  SeenFollower,
  type StartFrom,
} from '@netd/sync';
import {
  keepTrustedBlock,
  openFollowerDir,
  type FollowerDir,
  type FollowerDirOptions,
} from './follower-dir.ts';

export interface FollowOptions extends CommonNodeOptions, FollowerDirOptions {
  /** Puts something around the parts that touch the world, for tests: blocks are taken in this thread then. */
  wrapParts?: (parts: WritingParts) => WritingParts;
  /** Where the process is to die, as in NET_FAILPOINT; for tests. */
  failpoint?: string | undefined;
  /** With whose key the network is told of this copy. */
  presence?: PresenceOptions;
  onProgress?: (progress: FollowProgress) => void;
  /** Ends a start that is not over. What it has fetched by then is there for the next one. */
  signal?: AbortSignal;
  /** Told which chain it is, as soon as that is known. */
  onChain?: (chainId: string) => void;
  /** Where a copy that has nothing yet begins; without it, at a checkpoint where its origins are far ahead. */
  from?: StartFrom;
  onRestore?: (progress: RestoreProgress) => void;
  /** Told why the copy begins at genesis although a checkpoint was wanted. */
  onFallback?: (reason: string) => void;
  /** Told the height from which on all blocks are here, whenever it falls: 0 where there is nothing left to fetch. */
  onHistory?: (from: number) => void;
  /** Told when an origin is not asked any more, and why. */
  onDrop?: (url: string, reason: string) => void;
  onFork?: (evidence: ForkEvidence) => void;
}

export function followerKind(options: FollowOptions): NodeKind<FollowerDir, WritingParts> {
  let liars: ReadonlyMap<string, string> = new Map();
  let times: BlockTimes = { blockTime: 0, idleBlockTime: 0 };
  return {
    // Those of the chain: it makes no block itself.
    get blockTime() {
      return times.blockTime;
    },
    get idleBlockTime() {
      return times.idleBlockTime;
    },
    async openDataDir(clock) {
      const { signal } = options;
      const transport = endedBy(signal, options.transport);
      const dataDir = await openFollowerDir(options.dataDir, {
        ...options,
        transport,
        requireChain: (chainId) => requireKeyOf(chainId, options.presence),
      });
      times = dataDir.blockTimes;
      options.onChain?.(dataDir.genesis.chainId);
      liars = await restoreState(dataDir, {
        clock,
        from: options.from,
        originTimeout: options.originTimeout,
        transport,
        signal,
        onProgress: (progress) => options.onRestore?.(progress),
        onDrop: (url, reason) => options.onDrop?.(url, reason),
        onFallback: (reason) => options.onFallback?.(reason),
      });
      return dataDir;
    },
    parts: (writing) =>
      options.wrapParts?.(writing) ??
      writingWithFailpoints(writing, failpointFromPlan(options.failpoint)),
    async openChain({ committer }, world) {
      const { genesis, origins } = world.dataDir;
      const followed = {
        ...world,
        ...eventsOf(options),
        genesis,
        committer,
        origins,
        liars,
        trustedBlock: world.dataDir.anchor.block,
        onTrustedBlock: () => keepTrustedBlock(world.dataDir),
        forkPath: world.dataDir.forkPath,
        originTimeout: options.originTimeout,
        transport: options.transport,
        signal: options.signal,
      };
      const isHere = options.clock ?? options.transport ?? options.wrapParts;
      const { chain, engine } = isHere
        ? await openFollowedChain(followed)
        : await openOnThread({ ...followed, failpoint: options.failpoint });
      const mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
      // Writes are for those who certify.
      mempool.close();
      const { store, clock } = world;
      const { presence, transport = httpTransport } = options;
      const consensus = presence
        ? new SeenFollower(engine, { chain, store, clock, transport }, presence)
        : engine;
      return { chain, mempool, consensus };
    },
  };
}

/** The copy is opened here, and its blocks are taken on a thread of their own. */
async function openOnThread(
  options: FollowedChainOptions & { failpoint: string | undefined },
): Promise<{ chain: OpenedChain['chain']; engine: OpenedChain['consensus'] }> {
  const { store, genesis, origins, liars, originTimeout, failpoint } = options;
  const { chain, fork } = await openCopy(options);
  const data = {
    storePath: store.path,
    genesis,
    head: chain.head,
    origins,
    liars,
    trustedBlock: options.trustedBlock,
    originTimeout,
    forkPath: options.forkPath,
    fork,
    failpoint,
  };
  return { chain, engine: await FollowerThread.open({ chain, store }, data, options) };
}

function eventsOf(
  options: FollowOptions,
): Pick<FollowerEvents, 'onProgress' | 'onHistory' | 'onDrop' | 'onFork'> {
  return {
    onProgress: (progress) => options.onProgress?.(progress),
    onHistory: (from) => options.onHistory?.(from),
    onDrop: (url, reason) => options.onDrop?.(url, reason),
    onFork: (evidence) => options.onFork?.(evidence),
  };
}

/** @throws FollowError where the key is one of another chain: every heartbeat would be refused */
function requireKeyOf(chainId: string, presence: PresenceOptions | undefined): void {
  if (presence && presence.key.chainId !== chainId) {
    throw new FollowError(
      `the key of ${presence.key.actorId} is one of ${presence.key.chainId}, and this copy follows ${chainId}`,
    );
  }
}
