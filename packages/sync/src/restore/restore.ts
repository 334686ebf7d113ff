/** Builds the database beside its final place, compares the certified root, and renames it into place. */
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ValidatorSets, type Genesis } from '@netd/protocol';
import {
  ChunkFiles,
  ChunkLostError,
  type Clock,
  DRAFT_ENTRIES,
  identityOf,
  isIntact,
  placeDatabase,
  rebuild,
  removeWritten,
  type RestorePoint,
  type RestoreProgress,
  Store,
  WrongStateError,
} from '@netd/engine';
import { Origin } from '../origin.ts';
import type { Transport } from '../transport.ts';
import { choosePoint, DISK_FACTOR, inTime } from './checkpoint-offers.ts';
import { downloadChunks, NoChunksError } from './chunk-download.ts';

export interface RestoreDir {
  path: string;
  genesis: Genesis;
  origins: readonly string[];
  storePath: string;
  restorePath: string;
}

export type StartFrom = 'genesis' | 'checkpoint';

export interface RestoreOptions {
  clock: Clock;
  /** By default, the follower uses a checkpoint if the origins are far ahead. */
  from: StartFrom | undefined;
  /** Milliseconds per answer. */
  originTimeout: number | undefined;
  transport?: Transport | undefined;
  /** Aborts the restore; its chunks stay for the next start. */
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
  onBan: (url: string, reason: string) => void;
  /** Called if the follower begins at genesis although a checkpoint was wanted. */
  onFallback: (reason: string) => void;
}

/** Replaying fewer blocks is faster than a checkpoint. */
const FAR_AHEAD = 1_000;
const ATTEMPTS = 5;

/**
 * Restores a checkpoint, unless there is a database.
 * @returns the origins that lie, with the reason
 */
export async function restoreState(
  dir: RestoreDir,
  options: RestoreOptions,
): Promise<Map<string, string>> {
  const restore = new Restore(dir, options);
  await restore.run();
  return restore.liars;
}

class Restore {
  readonly liars = new Map<string, string>();
  private readonly failureScore = new Map<string, number>();
  private readonly dir: RestoreDir;
  private readonly options: RestoreOptions;
  private readonly origins: Origin[];

  constructor(dir: RestoreDir, options: RestoreOptions) {
    this.dir = dir;
    this.options = options;
    this.origins = dir.origins.map(
      (url) => new Origin(url, options.originTimeout, options.transport),
    );
  }

  async run(): Promise<void> {
    if (await this.isWanted()) await this.restore();
    removeWritten(this.dir.restorePath, DRAFT_ENTRIES);
  }

  private async isWanted(): Promise<boolean> {
    const { storePath, restorePath } = this.dir;
    const { from } = this.options;
    if (await hasBlocks(storePath)) return false;
    if (from !== undefined) return from === 'checkpoint';
    if (existsSync(restorePath)) return true;
    const heights = await Promise.all(
      this.origins.map((origin) =>
        inTime(this.options.clock, origin.head()).then(
          ({ height }) => height,
          () => 0,
        ),
      ),
    );
    return Math.max(...heights) >= FAR_AHEAD;
  }

  private async restore(): Promise<void> {
    const reasons: string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const reason = await this.attempt(attempt === ATTEMPTS - 1);
      if (reason === null) return;
      reasons.push(reason);
      if (this.honest.length === 0) break;
    }
    this.options.onFallback([...new Set(reasons)].join('; '));
  }

  private get honest(): Origin[] {
    return this.origins.filter(({ url }) => !this.liars.has(url));
  }

  private async attempt(isLast: boolean): Promise<string | null> {
    const files = this.resumed() ?? (await this.begun());
    if (typeof files === 'string') return files;
    try {
      await this.download(files, isLast);
      await this.build(files);
      return null;
    } catch (error) {
      if (error instanceof WrongStateError) {
        for (const url of files.point.tellers) this.accuse(url, error.message);
        files.remove();
      } else if (error instanceof NoChunksError) {
        this.setBack(files.point);
        files.remove();
      } else if (!(error instanceof ChunkLostError)) {
        throw error;
      }
      return error.message;
    }
  }

  private get chunksPath(): string {
    return join(this.dir.restorePath, 'checkpoint');
  }

  private resumed(): ChunkFiles | null {
    const files = ChunkFiles.resume(this.chunksPath);
    return files && isIntact(files.point, this.dir.genesis.chainId) ? files : null;
  }

  private async begun(): Promise<ChunkFiles | string> {
    const { genesis } = this.dir;
    const identity = identityOf(genesis);
    const { point, reasons } = await choosePoint(this.honest, {
      ...identity,
      sets: new ValidatorSets(identity.genesisSet),
      clock: this.options.clock,
      signal: this.options.signal,
      failureScore: this.failureScore,
      onFault: ({ url }, reason) => this.accuse(url, reason),
    });
    if (!point) return `no checkpoint can be had (${reasons.join('; ')})`;
    const { byteLength } = point.checkpoint;
    const { bavail, bsize } = statfsSync(this.dir.path);
    if (byteLength * DISK_FACTOR > bavail * bsize) {
      this.setBack(point);
      return `a checkpoint of ${byteLength} bytes, for which this disk has no room`;
    }
    return ChunkFiles.begin(this.chunksPath, point);
  }

  private setBack({ tellers }: RestorePoint): void {
    for (const url of tellers) this.failureScore.set(url, (this.failureScore.get(url) ?? 0) + 1);
  }

  private async download(files: ChunkFiles, isLast: boolean): Promise<void> {
    const { tellers } = files.point;
    const isOnlyOne = this.honest.every(({ url }) => tellers.includes(url));
    const failureScore = Math.min(...tellers.map((url) => this.failureScore.get(url) ?? 0));
    await downloadChunks({
      files,
      origins: this.honest,
      clock: this.options.clock,
      signal: this.options.signal,
      patience: isOnlyOne || isLast ? null : 2 ** failureScore,
      onProgress: this.options.onProgress,
      onLeave: ({ url }, reason, isFault) => {
        if (isFault) this.accuse(url, reason);
        else this.options.onBan(url, reason);
      },
    });
  }

  private async build(files: ChunkFiles): Promise<void> {
    const { restorePath: draftPath, storePath, genesis } = this.dir;
    const { height } = files.point.checkpoint;
    const { onProgress, signal } = this.options;
    const chain = { genesis, source: this.honest[0]?.url ?? '' };
    await rebuild({ files, draftPath, chain, signal, onProgress });
    placeDatabase(draftPath, storePath);
    onProgress({ phase: 'done', height, done: 1, total: 1 });
  }

  private accuse(url: string, reason: string): void {
    if (this.liars.has(url)) return;
    this.liars.set(url, reason);
    this.options.onBan(url, reason);
  }
}

export async function hasBlocks(storePath: string): Promise<boolean> {
  if (!existsSync(join(storePath, 'data.mdb'))) return false;
  const store = Store.open(storePath);
  try {
    return store.headHeight() !== null;
  } finally {
    await store.close();
  }
}
