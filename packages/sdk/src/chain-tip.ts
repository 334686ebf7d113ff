/** Saves actions a request. */

import { requireHeight } from './http.ts';

/** Milliseconds. An intent lives much longer. */
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
  /** Monotonic time. */
  private seenAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<Tip> | null = null;

  /** @param chainId no answer of a node changes it */
  constructor(load: () => Promise<Tip>, chainId: string | null = null) {
    this.load = load;
    this.chainId = chainId;
  }

  /** Read once, so that a client never signs for another chain. */
  async id(): Promise<string> {
    return this.chainId ?? (await this.refresh()).chainId;
  }

  /** Reads an old height again. */
  async now(): Promise<Tip> {
    const { chainId, height } = this;
    if (chainId === null || performance.now() - this.seenAt > MAX_AGE) return this.refresh();
    return { chainId, height };
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
