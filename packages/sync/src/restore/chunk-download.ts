/** Downloads a checkpoint's chunks from several origins. At the end, idle origins get the chunks of slow ones. */
import { sha256Hex } from '@netd/protocol';
import { type ChunkFiles, type Clock, type RestoreProgress, sleep } from '@netd/engine';
import { OriginFaultError, OriginUnavailableError, type Origin } from '../origin.ts';

/** Requests per origin; bounds the memory. */
const AT_ONCE = 3;
const MAX_ANSWER_BYTES = 400_000;
const FAILURES_ALLOWED = 2;
const BACKOFF_MILLISECONDS = 300;
const STALL_MILLISECONDS = 5_000;
/** Average per chunk. At a slower pace, another checkpoint is chosen if there is one. */
const PACE_MILLISECONDS = 1_000;
const LOOK_MILLISECONDS = 30_000;

export interface DownloadOptions {
  files: ChunkFiles;
  origins: readonly Origin[];
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** Factor on the slowest pace; null for no limit. */
  patience: number | null;
  onProgress: (progress: RestoreProgress) => void;
  /** Called with an origin that is dropped. `isFault` is true if it lies, and false if it does not deliver. */
  onLeave: (origin: Origin, reason: string, isFault: boolean) => void;
}

/** Thrown if no remaining origin has the chunks, or they come too slowly. */
export class NoChunksError extends Error {
  override name = 'NoChunksError';
}

/** @throws NoChunksError */
export async function downloadChunks(options: DownloadOptions): Promise<void> {
  const download = new Download(options, await options.files.missing());
  await download.run();
}

class Download {
  private readonly options: DownloadOptions;
  private readonly waiting: number[];
  private readonly asked = new Map<number, Map<Origin, AbortController>>();
  private readonly left = new Map<Origin, string>();
  private readonly failures = new Map<Origin, number>();
  private arrived = 0;
  private bytesHere: number;
  private isSlow = false;
  private cancelLook = (): void => {};

  constructor(options: DownloadOptions, missing: readonly number[]) {
    this.options = options;
    this.waiting = missing.toReversed();
    const { files } = options;
    const { byteLength } = files.point.checkpoint;
    this.bytesHere = missing.reduce((rest, index) => rest - files.sizeOf(index), byteLength);
  }

  async run(): Promise<void> {
    this.tell();
    const { patience } = this.options;
    if (patience !== null) this.lookAfter(LOOK_MILLISECONDS * patience);
    try {
      await this.fetchAll();
    } finally {
      this.cancelLook();
    }
  }

  private tell(): void {
    const { files, onProgress } = this.options;
    const { height, byteLength } = files.point.checkpoint;
    onProgress({ phase: 'chunks', height, done: this.bytesHere, total: byteLength });
  }

  private lookAfter(milliseconds: number): void {
    const before = this.arrived;
    this.cancelLook = this.options.clock.after(milliseconds, () => {
      if (this.arrived - before >= milliseconds / PACE_MILLISECONDS) {
        this.lookAfter(milliseconds);
        return;
      }
      this.isSlow = true;
      for (const by of this.asked.values()) for (const control of by.values()) control.abort();
    });
  }

  private async fetchAll(): Promise<void> {
    const { origins } = this.options;
    while (this.waiting.length > 0) {
      if (this.isSlow) throw new NoChunksError('its chunks come too slowly');
      const staying = origins.filter((origin) => !this.left.has(origin));
      if (staying.length === 0) {
        const reasons = [...this.left].map(([{ url }, reason]) => `${url}: ${reason}`);
        throw new NoChunksError(`no origin has the chunks (${reasons.join('; ')})`);
      }
      await Promise.all(
        staying.flatMap((origin) => Array.from({ length: AT_ONCE }, () => this.work(origin))),
      );
    }
  }

  private async work(origin: Origin): Promise<void> {
    while (!this.left.has(origin) && !this.isSlow) {
      const index = this.next(origin);
      if (index === null) return;
      await this.fetch(origin, index);
    }
  }

  private next(origin: Origin): number | null {
    const index = this.waiting.pop();
    if (index !== undefined) return index;
    for (const [owed, by] of this.asked) if (by.size === 1 && !by.has(origin)) return owed;
    return null;
  }

  private async fetch(origin: Origin, index: number): Promise<void> {
    const control = new AbortController();
    const by = this.asked.get(index) ?? new Map<Origin, AbortController>();
    const since = this.options.clock.elapsed();
    this.asked.set(index, by);
    by.set(origin, control);
    try {
      const bytes = await chunkOf(origin, this.options.files, index, control.signal);
      this.failures.delete(origin);
      if (!this.asked.has(index)) return;
      await this.options.files.write(index, bytes);
      if (!this.asked.delete(index)) return;
      this.arrived++;
      for (const other of by.values()) other.abort();
      this.bytesHere += bytes.length;
      this.tell();
    } catch (error) {
      by.delete(origin);
      if (this.asked.get(index) !== by) {
        this.noteOutrun(origin, index, since);
        return;
      }
      if (by.size === 0) {
        this.asked.delete(index);
        this.waiting.push(index);
      }
      await this.suffer(origin, error);
    }
  }

  /** Drops an origin if another one delivered its chunk after a long wait. */
  private noteOutrun(origin: Origin, index: number, since: number): void {
    const isStalled = this.options.clock.elapsed() - since >= STALL_MILLISECONDS;
    if (!isStalled || this.left.has(origin)) return;
    const reason = `chunk ${index} did not come while another one brought it`;
    this.left.set(origin, reason);
    this.options.onLeave(origin, reason, false);
  }

  private async suffer(origin: Origin, error: unknown): Promise<void> {
    this.options.signal?.throwIfAborted();
    const isFault = error instanceof OriginFaultError;
    if (!isFault && !(error instanceof OriginUnavailableError)) throw error;
    if (this.left.has(origin) || this.isSlow) return;
    const failures = (this.failures.get(origin) ?? 0) + 1;
    this.failures.set(origin, failures);
    const hasNone = !isFault && error.status === 404;
    if (isFault || hasNone || failures > FAILURES_ALLOWED) {
      this.left.set(origin, error.message);
      if (!hasNone) this.options.onLeave(origin, error.message, isFault);
      return;
    }
    await sleep(this.options.clock, BACKOFF_MILLISECONDS * failures);
  }
}

async function chunkOf(
  origin: Origin,
  files: ChunkFiles,
  index: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const { checkpointHash, chunkHashes } = files.point.checkpoint;
  const path = `/v1/state/chunks/${index}?checkpoint=${checkpointHash}`;
  const { data } = await origin.get<{ data: unknown }>(path, signal, MAX_ANSWER_BYTES);
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : null;
  if (bytes?.length !== files.sizeOf(index) || sha256Hex(bytes) !== chunkHashes[index]) {
    throw new OriginFaultError(`chunk ${index} of its checkpoint is not what the manifest says`);
  }
  return bytes;
}
