/** What a client remembers of its chain, so that it need not ask before every action. */

import { requireHeight } from './http.ts';

/** Milliseconds after which the height counts as old: an intent outlives many times as many blocks. */
const MAX_AGE = 60_000;

export interface Tip {
  chainId: string;
  /** A height that the chain has reached. */
  height: number;
}

export class ChainTip {
  private readonly load: () => Promise<Tip>;
  private chainId: string | null = null;
  private height = 0;
  /** When the height was learnt, by the monotonic clock. */
  private seenAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<Tip> | null = null;

  /** @param chainId where it is known already: nothing that a node says changes it */
  constructor(load: () => Promise<Tip>, chainId: string | null = null) {
    this.load = load;
    this.chainId = chainId;
  }

  /** The id of the chain, asked for once: a client that began on one chain signs for no other. */
  async id(): Promise<string> {
    return this.chainId ?? (await this.refresh()).chainId;
  }

  /** Chain and height, which are asked for where nothing has told the height lately. */
  async now(): Promise<Tip> {
    const { chainId, height } = this;
    if (chainId === null || performance.now() - this.seenAt > MAX_AGE) return this.refresh();
    return { chainId, height };
  }

  /** An answer of this moment tells a height. */
  saw(height: unknown): void {
    if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < this.height) return;
    this.height = height;
    this.seenAt = performance.now();
  }

  /** Forgets the height, which was wrong. */
  forgetHeight(): void {
    this.height = 0;
    this.seenAt = Number.NEGATIVE_INFINITY;
  }

  /** Asks, once for all who ask meanwhile. */
  private refresh(): Promise<Tip> {
    this.loading ??= this.load()
      .then(({ chainId, height }) => {
        requireHeight(height);
        this.chainId ??= chainId;
        this.saw(height);
        return { chainId: this.chainId, height };
      })
      .finally(() => {
        this.loading = null;
      });
    return this.loading;
  }
}
