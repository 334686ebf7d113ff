/** The node that follows others: their blocks, verified, in a database of its own. */
import { blockHash } from '@netd/protocol';
import { Chain } from '../chain/chain.ts';
import type { ConsensusParts, OpenedChain } from '../consensus/consensus.ts';
import { BlockExecutor } from '../executor/block-executor.ts';
import { BlockReplay } from '../verify/block-replay.ts';
import { identityOf } from '../executor/chain-identity.ts';
import type { Store } from '../store/store.ts';
import { DEFAULT_MEMPOOL_LIMITS, Mempool } from '../mempool/mempool.ts';
import type { ChainWorld, CommonNodeOptions, NodeKind, WritingParts } from '../node-kind.ts';
import { FollowerConsensus, type FollowProgress } from './follower-consensus.ts';
import {
  FollowError,
  keepTrustedBlock,
  openFollowerDir,
  type FollowerDir,
  type FollowerDirOptions,
} from './follower-dir.ts';
import { openEvidence, storedBlock } from './fork.ts';
import type { ForkEvidence } from '../documents/chain/fork-evidence.ts';
import type { PresenceOptions } from './heartbeats.ts';
import { isAway, Origin, type BlockTimes } from './origin.ts';
import { restoreState, type RestoreProgress, type StartFrom } from './restore/restore.ts';
import { endedBy } from './transport.ts';
import type { AnchorBlock } from './trust-anchor.ts';
import { MOST_WRITTEN_BEHIND } from './write-behind.ts';

export interface FollowOptions extends CommonNodeOptions, FollowerDirOptions {
  /** Puts something around the parts that touch the world, for tests. */
  wrapParts?: (parts: WritingParts) => WritingParts;
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
      const dataDir = await openFollowerDir(options.dataDir, { ...options, transport });
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
    parts: (writing) => options.wrapParts?.(writing) ?? writing,
    openChain: (parts, world) => openFollowedChain(parts, world, { ...options, liars }),
  };
}

/** Opens the copy of a chain in the store, or begins it with a certificate of block 0 that an origin has. */
export async function openFollowedChain(
  { committer }: WritingParts,
  world: ChainWorld<FollowerDir>,
  options: FollowOptions & { liars: ReadonlyMap<string, string> },
): Promise<OpenedChain & ConsensusParts> {
  const { dataDir, store, verifier } = world;
  const { genesis, origins, anchor } = dataDir;
  // Of liars alone blocks are taken all the same: every one of them is verified.
  const liars = options.liars.size < origins.length ? options.liars : new Map<string, string>();
  const blocks = new BlockReplay({ identity: identityOf(genesis), state: store, verifier });
  const transport = endedBy(options.signal, options.transport);
  const chain = await Chain.open({
    store,
    genesis,
    committer,
    async certifyGenesis(header, hash) {
      const reasons: string[] = [];
      let areAway = true;
      for (const url of origins) {
        try {
          const block = await new Origin(url, options.originTimeout, transport).block(0);
          if (blockHash(block.header) !== hash) throw new Error('its block 0 is another one');
          blocks.requireCertificate({ ...block, header }, hash);
          return block.certificate;
        } catch (error) {
          areAway &&= isAway(error);
          reasons.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      throw new FollowError(
        `no origin has a certificate of block 0: ${reasons.join('; ')}`,
        areAway ? 'NODE_UNREACHABLE' : 'FOLLOW_REFUSED',
      );
    },
  });
  if (anchor.block) {
    requireTrusted(store, anchor.block);
    keepTrustedBlock(dataDir);
  }
  const parts = {
    chain,
    executor: BlockExecutor.load(chain.identity, store, chain.head, MOST_WRITTEN_BEHIND),
    mempool: new Mempool(DEFAULT_MEMPOOL_LIMITS),
  };
  const consensus = new FollowerConsensus(parts, {
    ...world,
    genesis,
    origins,
    liars,
    trustedBlock: anchor.block,
    onHistory: (from) => options.onHistory?.(from),
    originTimeout: options.originTimeout,
    transport: options.transport,
    presence: presenceFor(chain.identity.chainId, options.presence),
    forkPath: dataDir.forkPath,
    fork: await openEvidence(dataDir.forkPath, store),
    onProgress: (progress) => options.onProgress?.(progress),
    onDrop: (url, reason) => options.onDrop?.(url, reason),
    onFork: (evidence) => options.onFork?.(evidence),
  });
  return { ...parts, consensus };
}

/** @throws FollowError where this copy has another block at that height */
function requireTrusted(store: Store, { height, blockHash: hash }: AnchorBlock): void {
  const ours = storedBlock(store, height)?.certificate.blockHash ?? hash;
  if (ours !== hash) {
    throw new FollowError(
      `block ${height} of this copy is ${ours}, and the one you trust is ${hash}: check what you trust, or choose another --data-dir for another copy`,
    );
  }
}

/** @throws FollowError where the key is one of another chain: every heartbeat would be refused */
function presenceFor(
  chainId: string,
  presence: PresenceOptions | undefined,
): PresenceOptions | undefined {
  if (presence && presence.key.chainId !== chainId) {
    throw new FollowError(
      `the key of ${presence.key.actorId} is one of ${presence.key.chainId}, and this copy follows ${chainId}`,
    );
  }
  return presence;
}
