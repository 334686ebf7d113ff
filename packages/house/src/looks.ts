/** Looks for something to do: one after the other, and one for whatever has happened since the last began. */
import { pause } from './pause.ts';

export interface LooksOptions {
  look: () => Promise<void>;
  failed: (error: unknown) => void;
  signal: AbortSignal;
}

/** Between two looks: what comes in a burst is looked at once. */
const PAUSE_MILLISECONDS = 100;

export class Looks {
  private readonly options: LooksOptions;
  private underWay: Promise<void> | null = null;
  private isStale = false;

  constructor(options: LooksOptions) {
    this.options = options;
  }

  /** @returns once a look that began after now has ended */
  again(): Promise<void> {
    this.isStale = true;
    this.underWay ??= this.lookWhileStale().finally(() => {
      this.underWay = null;
    });
    return this.underWay;
  }

  private async lookWhileStale(): Promise<void> {
    const { look, failed, signal } = this.options;
    while (this.isStale && !signal.aborted) {
      this.isStale = false;
      try {
        await look();
      } catch (error) {
        failed(error);
      }
      await pause(PAUSE_MILLISECONDS, signal);
    }
  }
}
