import { blockHash, type FinalityCertificate, type Genesis } from '@netd/protocol';
import {
  certificateFault,
  type CertifyGenesis,
  Chain,
  type EngineSide,
  FollowedChain,
  type FollowedChainParts,
  identityOf,
  type Store,
} from '@netd/engine';
import type { ForkEvidence } from '@netd/documents';
import type { PeerFeedEvents, PeerFeedOptions } from './follower-options.ts';
import type { FollowerNews } from './follower-thread.ts';
import { FollowError } from './follow-error.ts';
import { openEvidence, storedBlock } from './fork.ts';
import { isAway, Origin } from './origin.ts';
import { PeerFeed } from './peer-feed.ts';
import { endedBy } from './transport.ts';
import type { AnchorBlock } from './trust-anchor.ts';

export interface FollowedChainOptions extends Pick<
  PeerFeedOptions,
  'store' | 'origins' | 'originTimeout' | 'transport'
> {
  genesis: Genesis;
  trustedBlock: AnchorBlock | undefined;
  onTrustedBlock: () => void;
  forkPath: string;
  signal?: AbortSignal | undefined;
}

export type FollowerEngineParts = Omit<PeerFeedOptions, keyof PeerFeedEvents> &
  Omit<FollowedChainParts, 'onProgress' | 'onBlockFailure'>;

export interface FollowerEngine extends Pick<FollowedChain, 'chain' | 'executor'> {
  consensus: PeerFeed;
}

/**
 * Opens the follower in the store, or starts it with an origin's certificate of the first block.
 * @throws FollowError if no origin has one, or if this follower contradicts the trusted block
 */
export async function openFollowedChain(
  options: FollowedChainOptions,
): Promise<{ chain: Chain; fork: ForkEvidence | null }> {
  const { store, genesis, trustedBlock, forkPath } = options;
  const certifyGenesis = certifiedBy(options);
  const chain = await Chain.open({ store, genesis, committer: store, certifyGenesis });
  if (trustedBlock) {
    requireTrusted(store, trustedBlock);
    options.onTrustedBlock();
  }
  return { chain, fork: await openEvidence(forkPath, store) };
}

/** Call it after `openFollowedChain`. */
export async function openFollowerEngine(
  options: FollowerEngineParts,
  side: EngineSide<FollowerNews>,
): Promise<FollowerEngine> {
  const { tell, onBlockFailure, onHalt, noteStatus } = side;
  const followed = await FollowedChain.open({
    ...options,
    committer: side.tracked(options.committer),
    onProgress: (progress) => tell({ is: 'progress', progress }),
    onBlockFailure,
  });
  const consensus = new PeerFeed(followed, {
    ...options,
    onHistory: (from) => tell({ is: 'history', from }),
    onBan: (url, reason) => tell({ is: 'ban', url, reason }),
    onFork: (evidence) => tell({ is: 'fork', evidence }),
    onAnswer: noteStatus,
    onBlockFailure,
    onHalt,
  });
  return { chain: followed.chain, executor: followed.executor, consensus };
}

function certifiedBy(options: FollowedChainOptions): CertifyGenesis {
  const { genesis, origins, originTimeout, signal } = options;
  const { genesisSet, firstHeight } = identityOf(genesis);
  const transport = endedBy(signal, options.transport);
  return async (header, hash): Promise<FinalityCertificate> => {
    const reasons: string[] = [];
    let areAway = true;
    for (const url of origins) {
      try {
        const block = await new Origin(url, originTimeout, transport).block(firstHeight);
        if (blockHash(block.header) !== hash) {
          throw new Error(`its block ${firstHeight} is another one`);
        }
        const fault = certificateFault({ ...block, header }, () => genesisSet, hash);
        if (fault !== null) throw new Error(fault);
        return block.certificate;
      } catch (error) {
        areAway &&= isAway(error);
        reasons.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    throw new FollowError(
      `no origin has a certificate of block ${firstHeight}: ${reasons.join('; ')}`,
      areAway ? 'NODE_UNREACHABLE' : 'FOLLOW_REFUSED',
    );
  };
}

function requireTrusted(store: Store, { height, blockHash: hash }: AnchorBlock): void {
  const block = storedBlock(store, height);
  const ours = block ? blockHash(block.header) : hash;
  if (ours !== hash) {
    throw new FollowError(
      `block ${height} of this follower is ${ours}, and the one you trust is ${hash}: check what you trust, or choose another --data-dir for another follower`,
    );
  }
}
