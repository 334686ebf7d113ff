/**
 * Loads modules soon after the start. On demand may be too late, because clients may hold every file, and
 * Node caches a failed import forever.
 */
import type { Logger } from 'pino';

const LATER_MILLISECONDS = 2_000;

export class LaterModules {
  private readonly loads: (() => Promise<unknown>)[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private ended = false;

  add<Module>(load: () => Promise<Module>): () => Promise<Module> {
    this.loads.push(load);
    return load;
  }

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
