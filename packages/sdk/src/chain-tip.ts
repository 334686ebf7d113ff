/** Caches what a signer must know of the chain, so that actions need no request each. */

import { requireHeight } from './http.ts';
import { NAMED_GENESIS } from './rules-version.ts';

const MAX_AGE = 60_000;

export interface Tip {
  chainId: string;
  height: number;
  /** Genesis that envelopes name from version 2 of the rules on; null before. */
  genesisHash: string | null;
}

type Loaded = Pick<Tip, 'chainId' | 'height'> & {
  genesisHash: string;
  rules?: { version: number };
};

export class ChainTip {
  private readonly load: () => Promise<Loaded>;
  private chainId: string | null = null;
  private height = 0;
  private genesisHash: string | null = null;
  private loadedAt = Number.NEGATIVE_INFINITY;
  private seenAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<Tip> | null = null;

  constructor(load: () => Promise<Loaded>, chainId: string | null = null) {
    this.load = load;
    this.chainId = chainId;
  }

  /** Returns the tip. Reads it again if the height is old, or if version 1 was read long ago. */
  async now(): Promise<Tip> {
    const { chainId, height, genesisHash } = this;
    const readAt = genesisHash === null ? Math.min(this.loadedAt, this.seenAt) : this.seenAt;
    if (chainId === null || performance.now() - readAt > MAX_AGE) return this.refresh();
    return { chainId, height, genesisHash };
  }

  nameGenesis(genesisHash: string): void {
    this.genesisHash = genesisHash;
  }

  saw(height: unknown): void {
    if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < this.height) return;
    this.height = height;
    this.seenAt = performance.now();
  }

  forgetHeight(): void {
    this.height = 0;
    this.seenAt = Number.NEGATIVE_INFINITY;
  }

  private refresh(): Promise<Tip> {
    this.loading ??= this.load()
      .then(({ chainId, height, genesisHash, rules }) => {
        requireHeight(height);
        // A client signs for one chain, and never stops naming its genesis.
        this.chainId ??= chainId;
        if (rules && rules.version >= NAMED_GENESIS) this.genesisHash ??= genesisHash;
        this.loadedAt = performance.now();
        this.saw(height);
        return { chainId: this.chainId, height, genesisHash: this.genesisHash };
      })
      .finally(() => {
        this.loading = null;
      });
    return this.loading;
  }
}
