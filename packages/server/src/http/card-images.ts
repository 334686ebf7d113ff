import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FairQueue } from '@netd/client-limits';
import { WorkerThread } from '@netd/engine';
import type { CardAnswer } from './card-worker.ts';

const WORKER = new URL('card-worker.ts', import.meta.url);
const MOST_WAITING = 4;
const MOST_OF_ADDRESS = 2;
/** Images on disk, of about 30 kB each. */
const MOST_KEPT = 200;
/** Milliseconds without a request until the thread ends. */
const IDLE = 30_000;

class BusyError extends Error {
  override name = 'BusyError';
}

/** Draws one picture at a time, and keeps the newest ones in a folder that ends with the process. */
export class CardImages {
  private readonly thread = new WorkerThread<string, CardAnswer>(WORKER, () => ({ name: 'cards' }));
  private readonly turns: FairQueue;
  /** Names of kept images, the least recently used first. */
  private readonly kept = new Set<string>();
  private folder: string | null = null;
  private idle: NodeJS.Timeout | undefined;
  /** Number of pictures drawn, not read from disk. */
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
    const known = await this.read(name);
    if (known) return known;
    try {
      return await this.turns.run(
        share,
        // Another request may have drawn it while this one waited.
        async () => (await this.read(name)) ?? (await this.draw(svg, name)),
        () => new BusyError('other pictures are being drawn'),
      );
    } catch (error) {
      if (error instanceof BusyError) return null;
      throw error;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    await this.thread.close();
    if (this.folder !== null) rmSync(this.folder, { recursive: true, force: true });
  }

  private async draw(svg: string, name: string): Promise<Uint8Array | null> {
    clearTimeout(this.idle);
    try {
      const answer = await this.thread.ask(svg);
      if ('error' in answer) return null;
      this.drawn++;
      await this.keep(name, answer.png);
      return answer.png;
    } catch {
      // The thread ended. The next picture starts another one.
      return null;
    } finally {
      this.idle = setTimeout(() => void this.thread.close(), IDLE).unref();
    }
  }

  private async read(name: string): Promise<Uint8Array | null> {
    if (this.folder === null || !this.kept.delete(name)) return null;
    this.kept.add(name);
    return readFile(join(this.folder, name)).catch(() => null);
  }

  private async keep(name: string, png: Uint8Array): Promise<void> {
    try {
      this.folder ??= mkdtempSync(join(tmpdir(), 'netd-cards-'));
      await writeFile(join(this.folder, name), png);
      this.kept.add(name);
      for (const oldest of this.kept) {
        if (this.kept.size <= MOST_KEPT) break;
        this.kept.delete(oldest);
        await rm(join(this.folder, oldest), { force: true });
      }
    } catch {
      // A full disk only costs time.
    }
  }
}
