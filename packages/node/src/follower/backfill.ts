/**
 * The blocks before the checkpoint at which a copy began, fetched behind its back: newest first, each by the hash that its
 * successor names, down to genesis. They are certified and linked, and not executed: `netd verify` does that once they are here.
 */
import { blockHash, type Genesis, type ValidatorSet } from '@netd/protocol';
import type { Clock } from '../chain/clock.ts';
import { genesisBlock } from '../executor/genesis-block.ts';
import type { BlockHistory } from '../store/history-writes.ts';
import { EMPTY_SOURCE, StateTree } from '../store/state-tree.ts';
import type { Store } from '../store/store.ts';
import type { FollowedOrigin, FollowedOrigins } from './followed-origins.ts';
import { isCertified } from './fork.ts';
import { OriginFaultError, OriginUnavailableError, type ToldSourceBlock } from './origin.ts';
import { historyOf } from './told-history.ts';
import type { AnchorBlock } from './trust-anchor.ts';

/** Written in one transaction. Of full blocks fewer: they are in memory together. */
const MOST_BLOCKS = 32;
const TRANSITIONS_AT_ONCE = 4_000;
const REST_MILLISECONDS = 2_000;

interface ExpectedBlock {
  height: number;
  blockHash: string;
}

export interface BackfillOptions {
  store: Store;
  clock: Clock;
  genesis: Genesis;
  validatorSet: ValidatorSet;
  origins: FollowedOrigins;
  trustedBlock: AnchorBlock | undefined;
  signal: AbortSignal;
  onProgress: (from: number) => void;
  /** Told of a certified block that is not the one it must be. */
  onContradiction: (found: FollowedOrigin, block: ToldSourceBlock, reason: string) => void;
}

export class Backfill {
  private readonly options: BackfillOptions;
  /** Who did not have a block, by the clock's elapsed time until which it is not asked again. */
  private readonly resting = new Map<FollowedOrigin, number>();
  private turn = 0;
  private window = MOST_BLOCKS;

  constructor(options: BackfillOptions) {
    this.options = options;
  }

  /** Resolves when every block is here, or nothing more is to be fetched. */
  async run(): Promise<void> {
    const { store, signal } = this.options;
    let expected = this.first();
    while (expected !== null && !signal.aborted) {
      const blocks = await this.fetch(expected);
      if (signal.aborted) return;
      const last = blocks.at(-1);
      if (!last) {
        await this.pause();
        continue;
      }
      const from = last.header.height;
      const { source } = store.history();
      await this.write(blocks, { from, source: this.sources()[0]?.origin.url ?? source });
      this.options.onProgress(from);
      const transitions = blocks.reduce((sum, block) => sum + block.transitions.length, 0);
      const most = TRANSITIONS_AT_ONCE / Math.max(1, transitions / blocks.length);
      this.window = Math.max(1, Math.min(MOST_BLOCKS, Math.floor(most)));
      expected = before(last);
    }
  }

  private first(): ExpectedBlock | null {
    const { store } = this.options;
    const { from } = store.history();
    if (from === 0) return null;
    const snapshot = store.snapshot();
    try {
      const block = snapshot.blockAt(from);
      return block && before(block);
    } finally {
      snapshot.close();
    }
  }

  private async write(
    blocks: readonly BlockHistory[],
    history: { from: number; source: string },
  ): Promise<void> {
    for (;;) {
      try {
        await this.options.store.commitHistory(blocks, history);
        return;
      } catch (error) {
        // A disk that is full may have room again later.
        if (this.options.signal.aborted) throw error;
        await this.pause();
      }
    }
  }

  /** Some blocks from this one downwards, as many as came and are right. */
  private async fetch(expected: ExpectedBlock): Promise<BlockHistory[]> {
    const heights = Array.from(
      { length: Math.min(this.window, expected.height + 1) },
      (_, index) => expected.height - index,
    );
    const coming = heights.map((height) => this.ask(height));
    const blocks: BlockHistory[] = [];
    let next: ExpectedBlock | null = expected;
    for (const answer of coming) {
      const told = await answer;
      if (!told || !next) break;
      const block = this.verified(told.followed, told.block, next);
      if (!block) break;
      blocks.push(block);
      next = before(block);
    }
    await Promise.all(coming);
    return blocks;
  }

  private async ask(
    height: number,
  ): Promise<{ followed: FollowedOrigin; block: ToldSourceBlock } | null> {
    const sources = this.sources();
    const followed = sources[this.turn++ % Math.max(1, sources.length)];
    if (!followed) return null;
    try {
      return { followed, block: await followed.origin.block(height, this.options.signal) };
    } catch (error) {
      if (!this.options.signal.aborted) this.suffer(followed, error);
      return null;
    }
  }

  private verified(
    followed: FollowedOrigin,
    block: ToldSourceBlock,
    expected: ExpectedBlock,
  ): BlockHistory | null {
    const { validatorSet, trustedBlock, genesis } = this.options;
    try {
      const isOther = blockHash(block.header) !== expected.blockHash;
      if (isOther && block.header.height === expected.height && isCertified(block, validatorSet)) {
        throw new Contradiction('two blocks of one height are certified');
      }
      const history = historyOf(block, expected, validatorSet);
      if (trustedBlock?.height === expected.height && trustedBlock.blockHash !== expected.blockHash)
        throw new Contradiction('it is not the block that is trusted');
      if (expected.height === 0) {
        const { hash } = genesisBlock(genesis, new StateTree(EMPTY_SOURCE));
        if (hash !== expected.blockHash) {
          throw new Contradiction('block 0 does not follow from the genesis document');
        }
      }
      return history;
    } catch (error) {
      if (error instanceof Contradiction) {
        this.options.onContradiction(followed, block, error.message);
      } else {
        this.suffer(followed, error);
      }
      return null;
    }
  }

  /** A node may not have these blocks itself: it is no worse a source of the newest ones. */
  private suffer(followed: FollowedOrigin, error: unknown): void {
    if (error instanceof OriginFaultError) {
      if (followed.dropped === null) this.options.origins.drop(followed, error.message);
    } else if (error instanceof OriginUnavailableError) {
      this.resting.set(followed, this.options.clock.elapsed() + REST_MILLISECONDS);
    } else {
      throw error;
    }
  }

  private sources(): FollowedOrigin[] {
    const now = this.options.clock.elapsed();
    return this.options.origins.awake.filter(
      (followed) => (this.resting.get(followed) ?? 0) <= now,
    );
  }

  private async pause(): Promise<void> {
    const { clock, signal } = this.options;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(REST_MILLISECONDS, end);
      signal.addEventListener('abort', end);
    });
  }
}

class Contradiction extends Error {}

const before = ({ header }: Pick<BlockHistory, 'header'>): ExpectedBlock | null =>
  header.height === 0 ? null : { height: header.height - 1, blockHash: header.previousBlockHash };
