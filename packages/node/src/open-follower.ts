import {
  type BlockCommitter,
  committerWithFailpoints,
  DEFAULT_MEMPOOL_LIMITS,
  EngineHost,
  type FollowProgress,
  LocalEngine,
  LOOK_MILLISECONDS,
  Mempool,
  type RestoreProgress,
} from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import type { CommonNodeOptions, OpenContext, OpenedNode } from './node-options.ts';
import {
  endedBy,
  FollowError,
  followForkPoint,
  type FollowerNews,
  followerThread,
  httpTransport,
  openFollowedChain,
  openFollowerEngine,
  type PresenceOptions,
  restoreState,
  FollowerWithHeartbeats,
  type StartFrom,
} from '@netd/sync';
import {
  keepTrustedBlock,
  openFollowerDir,
  type FollowerDir,
  type FollowerDirOptions,
} from './follower-dir.ts';

export interface FollowOptions extends CommonNodeOptions, FollowerDirOptions {
  /** For tests. If set, this thread accepts the blocks, not a worker. */
  wrapCommitter?: (committer: BlockCommitter) => BlockCommitter;
  presence?: PresenceOptions;
  onProgress?: (progress: FollowProgress) => void;
  onChain?: (chainId: string) => void;
  /** Default: a checkpoint if the origins are far ahead. */
  from?: StartFrom;
  onRestore?: (progress: RestoreProgress) => void;
  /** Called if the follower begins at genesis although a checkpoint was wanted. */
  onFallback?: (reason: string) => void;
  /** Called with each new first height of the complete history; 0 at the end. */
  onHistory?: (from: number) => void;
  onBan?: (url: string, reason: string) => void;
  onFork?: (evidence: ForkEvidence) => void;
}

/** @throws FollowError, DataDirError, StoreError */
export async function openFollower(
  options: FollowOptions,
  context: OpenContext,
): Promise<OpenedNode<FollowerDir>> {
  const { clock, verifier } = context;
  const { originTimeout, signal, presence } = options;
  const transport = endedBy(signal, options.transport);
  const dataDir = await openFollowerDir(options.dataDir, {
    ...options,
    transport,
    requireChain: (chainId) => requireKeyOf(chainId, presence),
  });
  const { genesis, origins, forkPath } = dataDir;
  options.onChain?.(genesis.chainId);
  const fetching = {
    clock,
    originTimeout,
    transport,
    signal,
    onProgress: (progress: RestoreProgress) => options.onRestore?.(progress),
    onBan: (url: string, reason: string) => options.onBan?.(url, reason),
  };
  const liars = genesis.fork
    ? await followForkPoint(dataDir, fetching)
    : await restoreState(dataDir, {
        ...fetching,
        from: options.from,
        onFallback: (reason) => options.onFallback?.(reason),
      });
  const store = context.openStore(dataDir);
  const trustedBlock = dataDir.anchor.block;
  const followed = { genesis, origins, trustedBlock, originTimeout, forkPath };
  const { transport: ownTransport } = options;
  const { chain, fork } = await openFollowedChain({
    ...followed,
    store,
    transport: ownTransport,
    signal,
    onTrustedBlock: () => keepTrustedBlock(dataDir),
  });
  const { head } = chain;
  const { failpoint, wrapCommitter } = options;
  const isHere = options.clock ?? options.transport ?? wrapCommitter;
  const writing = committerWithFailpoints(store, context.failpoint);
  const committer = wrapCommitter?.(writing) ?? writing;
  const link = isHere
    ? new LocalEngine<FollowerNews>({ head, lookEvery: LOOK_MILLISECONDS }, (side) =>
        openFollowerEngine(
          {
            ...followed,
            store,
            clock,
            verifier,
            transport: ownTransport,
            committer,
            liars,
            fork,
          },
          side,
        ),
      )
    : followerThread({ ...followed, storePath: store.path, head, liars, fork, failpoint });
  const mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
  mempool.close();
  const host = new EngineHost<FollowerNews>({ chain, mempool, store }, link, {
    ...context.events,
    onNews: (news) => tellNews(options, news),
  });
  await host.open();
  const consensus = presence
    ? new FollowerWithHeartbeats(
        host,
        { chain, store, clock, transport: options.transport ?? httpTransport },
        presence,
      )
    : host;
  return { dataDir, store, chain, mempool, consensus, ...dataDir.blockTimes };
}

function tellNews(options: FollowOptions, news: FollowerNews): void {
  switch (news.is) {
    case 'progress':
      options.onProgress?.(news.progress);
      break;
    case 'history':
      options.onHistory?.(news.from);
      break;
    case 'ban':
      options.onBan?.(news.url, news.reason);
      break;
    case 'fork':
      options.onFork?.(news.evidence);
  }
}

/** @throws FollowError if the key is for another chain, which would refuse every heartbeat */
function requireKeyOf(chainId: string, presence: PresenceOptions | undefined): void {
  if (presence && presence.key.chainId !== chainId) {
    throw new FollowError(
      `the key of ${presence.key.actorId} is one of ${presence.key.chainId}, and this node follows ${chainId}`,
    );
  }
}
