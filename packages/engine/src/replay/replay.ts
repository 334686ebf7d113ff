import { blockHash } from '@netd/protocol';
import { BlockExecutor } from '../executor/block-executor.ts';
import { BlockReplay, InvalidChainError, type SourceBlock } from './block-replay.ts';
import { identityOf, type ChainIdentity } from '../executor/chain-identity.ts';
import { forkBlock, genesisBlock } from '../executor/genesis-block.ts';
import type { SealedBlock } from '../executor/seal-block.ts';
import { tipOf } from '../executor/tip.ts';
import type { VerifierPool } from '../mempool/verifier-pool.ts';
import { forkBaseOf } from '../store/fork-base.ts';
import { StateTree } from '../store/tree/state-tree.ts';
import type { Store } from '../store/store.ts';
import { SourceUnavailableError, type BlockSource } from './block-source.ts';

export interface ReplayProgress {
  height: number;
  transitions: number;
}

export class Replay {
  private readonly source: BlockSource;
  private readonly scratch: Store;
  private readonly identity: ChainIdentity;
  private readonly blocks: BlockReplay;
  private readonly onProgress: (progress: ReplayProgress) => void;
  private transitions = 0;

  constructor(
    source: BlockSource,
    scratch: Store,
    verifier: VerifierPool,
    onProgress: (progress: ReplayProgress) => void,
  ) {
    this.source = source;
    this.scratch = scratch;
    this.identity = identityOf(source.genesis);
    this.blocks = new BlockReplay({ state: scratch, verifier });
    this.onProgress = onProgress;
  }

  /**
   * @returns the number of executed transitions
   * @throws InvalidChainError at the first height that differs
   */
  async run(): Promise<number> {
    const executor = await this.replayGenesis();
    const { height } = this.source;
    const next = this.identity.firstHeight + 1;
    for await (const prepared of this.blocks.prepareAhead(next, height, (at) => this.read(at))) {
      const { hash, write } = await this.blocks.execute(prepared, executor);
      await this.scratch.commitBlock(write);
      executor.commit(hash);
      this.transitions += prepared.block.transitions.length;
      this.onProgress({ height: prepared.height, transitions: this.transitions });
    }
    return this.transitions;
  }

  private async replayGenesis(): Promise<BlockExecutor> {
    const { identity, scratch } = this;
    const tree = new StateTree(scratch);
    const { firstHeight } = identity;
    const block = await this.read(firstHeight);
    const { hash, write } = await this.firstBlock(tree);
    if (blockHash(block.header) !== hash) {
      throw new InvalidChainError(
        firstHeight,
        `block ${firstHeight} does not follow from the genesis document`,
      );
    }
    this.blocks.requireCertificate(block, hash, identity.genesisSet);
    await scratch.initialise(this.source.genesis, { ...write, certificate: block.certificate });
    return new BlockExecutor({ identity, store: scratch, tree, head: tipOf(write.header, hash) });
  }

  private async firstBlock(tree: StateTree): Promise<SealedBlock> {
    const { genesis, putForkBase } = this.source;
    const { fork } = genesis;
    if (!fork) return genesisBlock(genesis, tree);
    if (!putForkBase) throw new Error('a fork is replayed from the state that it begins with');
    await putForkBase(this.scratch);
    try {
      return forkBlock(genesis, tree, forkBaseOf(this.scratch));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new InvalidChainError(fork.height, `the state at which it forked: ${reason}`);
    }
  }

  private async read(height: number): Promise<SourceBlock> {
    try {
      return await this.source.block(height);
    } catch (error) {
      if (error instanceof SourceUnavailableError) throw error;
      throw new InvalidChainError(height, error instanceof Error ? error.message : String(error));
    }
  }
}
