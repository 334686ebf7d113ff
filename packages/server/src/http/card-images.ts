import { createHash } from 'node:crypto';
import { FairQueue } from '@netd/client-limits';
import { WorkerThread } from '@netd/engine';
import type { CardAnswer } from './card-worker.ts';

const WORKER = new URL('card-worker.ts', import.meta.url);
const MOST_WAITING = 4;
const MOST_OF_ADDRESS = 2;
/** Images in memory, of about 30 kB each. Files would outlive a crash, and /tmp is memory in a container. */
const MOST_KEPT = 100;
/** Milliseconds without a request until the thread ends. */
const IDLE = 30_000;

/** Made once, because the stack of an error costs more than the rest of a refusal. */
const BUSY = new Error('other pictures are being drawn');

/** Draws one picture at a time, and keeps the ones that were requested last. */
export class CardImages {
  private readonly thread = new WorkerThread<string, CardAnswer>(WORKER, () => ({ name: 'cards' }));
  private readonly turns: FairQueue;
  /** Kept images by the hash of their SVG, the least recently used first. */
  private readonly kept = new Map<string, Uint8Array>();
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Number of pictures drawn, not read from memory. */
  drawn = 0;

  /** @param loopback true if all requests come from this machine, which has no shares */
  constructor(loopback: boolean) {
    this.turns = new FairQueue({
      most: 1,
      ofAddress: 1,
      waiting: MOST_WAITING,
      waitingOfAddress: loopback ? MOST_WAITING : MOST_OF_ADDRESS,
    });
  }

  /**
   * Returns a PNG; null if too many pictures are being drawn, or drawing failed.
   * @param share from `addressShare`
   */
  async png(svg: string, share: string): Promise<Uint8Array | null> {
    const name = createHash('sha256').update(svg).digest('hex');
    const known = this.read(name);
    if (known) return known;
    try {
      return await this.turns.run(
        share,
        // Another request may have drawn it while this one waited.
        async () => this.read(name) ?? (await this.draw(svg, name)),
        () => BUSY,
      );
    } catch (error) {
      if (error === BUSY) return null;
      throw error;
    }
  }

  /** Waits for the picture that is being drawn. Those that wait for a turn are not drawn. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.thread.close();
  }

  private async draw(svg: string, name: string): Promise<Uint8Array | null> {
    if (this.isClosed) return null;
    clearTimeout(this.idle);
    try {
      const answer = await this.thread.ask(svg);
      if ('error' in answer) return null;
      this.drawn++;
      this.keep(name, answer.png);
      return answer.png;
    } catch {
      // The thread ended. The next picture starts another one.
      return null;
    } finally {
      this.idle = setTimeout(() => void this.thread.close(), IDLE).unref();
    }
  }

  private read(name: string): Uint8Array | null {
    const png = this.kept.get(name);
    if (png === undefined) return null;
    this.kept.delete(name);
    this.kept.set(name, png);
    return png;
  }

  private keep(name: string, png: Uint8Array): void {
    this.kept.set(name, png);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}
