/**
 * Modules that an answer needs and a start does not: loaded one after the other when the node has been up for a moment. By the
 * time that it is asked for, clients may have taken every file that the process may open, and what could not be loaded once
 * fails for good: Node keeps that, too.
 */
import type { Logger } from 'pino';

/** Milliseconds after the start: requests that waited for it are answered first. */
const LATER_MILLISECONDS = 2_000;

export class LaterModules {
  private readonly loads: (() => Promise<unknown>)[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private ended = false;

  /** @returns the module, loaded now where it has not been before */
  add<Module>(load: () => Promise<Module>): () => Promise<Module> {
    this.loads.push(load);
    return load;
  }

  /** Loads all of them, in a moment. */
  start(logger?: Logger): void {
    this.timer = setTimeout(() => {
      this.loadAll().catch((error: unknown) => {
        logger?.error({ err: error }, 'a part of the interface could not be loaded');
      });
    }, LATER_MILLISECONDS).unref();
  }

  end(): void {
    this.ended = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async loadAll(): Promise<void> {
    for (const load of this.loads) {
      if (this.ended) return;
      await load();
    }
  }
}
