/**
 * Writes and serves state checkpoints. A large state is written at the first block of a minute, so that all
 * nodes write the same. Chunks are hashed at every read, because disks rot.
 */
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  blockHash,
  encodePair,
  hashValue,
  makeCheckpoint,
  sha256Hex,
  utf8Bytes,
  type BlockHeader,
  type StateCheckpoint,
  type StateChunk,
} from '@netd/protocol';
import { writeDurably } from '../durable-file.ts';
import type { Store } from '../store/store.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { Clock } from './clock.ts';

const SMALL_STATE_PAIRS = 20_000;
const MINUTE_MILLISECONDS = 60_000;
const CHECKPOINTS_KEPT = 4;
/** This many older checkpoints are kept while followers read them. */
const CHECKPOINTS_READ = 4;
const READ_MILLISECONDS = 60_000;
const PAIRS_PER_TURN = 500;
/** Each read holds an open file. Without a bound, one client could make intact chunks unreadable. */
const READ_AT_ONCE = 8;

const NOT_OF_THE_FILE: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

interface CheckpointDraft {
  path: string;
  height: number;
}

export interface CheckpointFiles {
  readChunk(path: string): Promise<Buffer>;
  writeChunk(draft: CheckpointDraft, index: number, bytes: Uint8Array): Promise<void>;
  publish(draft: CheckpointDraft, checkpoint: StateCheckpoint): Promise<void>;
}

export const checkpointFiles: CheckpointFiles = {
  readChunk: (path) => readFile(path),
  writeChunk: ({ path }, index, bytes) => writeDurably(join(path, chunkName(index)), bytes),
  async publish({ path }, checkpoint) {
    // The manifest must be written last: a folder that has one is complete.
    await writeDurably(join(path, 'manifest.json'), Buffer.from(JSON.stringify(checkpoint)));
    await rename(path, join(dirname(path), checkpoint.checkpointHash));
  },
};

/** A checkpoint outside `checkpoints/`. */
export interface ForkPointFiles {
  directory: string;
  checkpoint: StateCheckpoint;
}

export interface CheckpointOptions {
  directory: string;
  store: Store;
  clock: Clock;
  files: CheckpointFiles;
  /** Kept forever. Null if it is missing; undefined if the chain is no fork. */
  forkPoint?: ForkPointFiles | null | undefined;
  smallState?: number;
  onDamage: () => void;
}

export class Checkpoints {
  private readonly directory: string;
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly files: CheckpointFiles;
  private readonly onDamage: () => void;
  readonly forkPoint: ForkPointFiles | null;
  private isForkPointLost = false;
  /** Describes a damaged chunk; null once another checkpoint has been made. */
  private damage: string | null = null;
  private finished: StateCheckpoint[] = [];
  private making: Promise<void> | null = null;
  private readonly smallState: number;
  private isWanted = false;
  private readonly readAt = new Map<string, number>();
  private reading = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(options: CheckpointOptions) {
    const { directory, store, clock, files, onDamage } = options;
    this.smallState = options.smallState ?? SMALL_STATE_PAIRS;
    this.directory = directory;
    this.store = store;
    this.clock = clock;
    this.files = files;
    this.onDamage = onDamage;
    this.forkPoint = options.forkPoint ?? null;
    if (options.forkPoint === null) this.reportForkPoint('is missing');
  }

  get fault(): string | null {
    return this.damage;
  }

  static async open(options: CheckpointOptions): Promise<Checkpoints> {
    const { directory } = options;
    const checkpoints = new Checkpoints(options);
    await mkdir(directory, { recursive: true });
    for (const name of await readdir(directory)) {
      const folder = join(directory, name);
      const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
      const checkpoint = manifest === null ? null : checkpointIn(manifest);
      if (checkpoint?.checkpointHash === name) {
        checkpoints.finished.push(checkpoint);
        continue;
      }
      if (!CHECKPOINT_FOLDER.test(name)) continue;
      await removeCheckpoint(folder);
      if (manifest !== null) checkpoints.reportDamage(`its manifest is not that of ${name}`);
    }
    checkpoints.finished.sort((a, b) => a.height - b.height);
    return checkpoints;
  }

  /** Returns the newest finished checkpoint, updated if that is cheap; null before the first. */
  async latest(): Promise<StateCheckpoint | null> {
    const { stateRoot, timestamp } = this.head();
    if (this.finished.at(-1)?.stateRoot !== stateRoot) {
      const isSmall = this.store.pairCount() <= this.smallState;
      // Without new blocks, every node is at the same block.
      const isStill = this.clock.now() - Date.parse(timestamp) >= MINUTE_MILLISECONDS;
      if (isSmall || isStill) this.begin();
      else this.isWanted = true;
      if (isSmall) await this.making;
    }
    return this.finished.at(-1) ?? null;
  }

  noteBlock(): void {
    if (this.isWanted && this.making === null && this.isFirstOfMinute()) this.begin();
  }

  noteReturn(height: number): void {
    this.finished = this.finished.filter((checkpoint) => checkpoint.height <= height);
  }

  private head(): BlockHeader {
    const snapshot = this.store.snapshot();
    try {
      return snapshot.block.header;
    } finally {
      snapshot.close();
    }
  }

  private isFirstOfMinute(): boolean {
    const snapshot = this.store.snapshot();
    try {
      const { height, timestamp } = snapshot.block.header;
      const before = snapshot.blockAt(height - 1);
      return !before || minuteOf(before.header.timestamp) < minuteOf(timestamp);
    } finally {
      snapshot.close();
    }
  }

  find(checkpointHash: string): StateCheckpoint | null {
    const forkPoint = this.forkPoint ? [this.forkPoint.checkpoint] : [];
    const known = [...this.finished, ...forkPoint];
    return known.find((checkpoint) => checkpoint.checkpointHash === checkpointHash) ?? null;
  }

  async at(height: number): Promise<StateCheckpoint | null> {
    const { checkpoint } = this.forkPoint ?? {};
    if (checkpoint?.height === height) return checkpoint;
    if (height >= this.head().height) await this.latest();
    return this.finished.findLast((known) => known.height <= height) ?? null;
  }

  /**
   * Returns null if the checkpoint has been removed meanwhile. A damaged chunk removes its checkpoint and
   * starts a new one.
   */
  async chunk(checkpoint: StateCheckpoint, index: number): Promise<StateChunk | null> {
    const { checkpointHash, chunkHashes } = checkpoint;
    const hash = chunkHashes[index];
    if (hash === undefined) return null;
    this.noteRead(checkpointHash);
    const { forkPoint } = this;
    const isForkPoint = forkPoint?.checkpoint.checkpointHash === checkpointHash;
    const folder = isForkPoint ? forkPoint.directory : join(this.directory, checkpointHash);
    let bytes: Buffer | null = null;
    try {
      bytes = await this.readInTurn(join(folder, chunkName(index)));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && !this.find(checkpointHash)) return null;
      if (NOT_OF_THE_FILE.has(code)) throw error;
    }
    if (bytes && sha256Hex(bytes) === hash) {
      const data = bytes.toString('base64');
      return { schema: 'NET-STATE-CHUNK/1', checkpointHash, index, hash, data };
    }
    if (isForkPoint) {
      this.reportForkPoint(`has a damaged chunk ${index}`);
      return null;
    }
    await this.drop(checkpoint, bytes ? 'is not what was written' : 'cannot be read', index);
    return null;
  }

  private async readInTurn(path: string): Promise<Buffer> {
    if (this.reading < READ_AT_ONCE) this.reading++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await this.files.readChunk(path);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.reading--;
    }
  }

  private async drop({ checkpointHash, height }: StateCheckpoint, what: string, index: number) {
    const kept = this.finished.filter((known) => known.checkpointHash !== checkpointHash);
    if (kept.length === this.finished.length) return;
    this.finished = kept;
    this.reportDamage(`chunk ${index} of the one of height ${height} ${what}`);
    while (this.making !== null) await this.settle();
    // Remove the damaged checkpoint before writing: a new one of the same state has the same folder.
    this.begin(() => removeCheckpoint(join(this.directory, checkpointHash)));
  }

  private reportForkPoint(what: string): void {
    this.isForkPointLost = true;
    this.damage = `the state that this fork began with ${what}, so that no node can follow or verify it: put fork-point/ back from a backup`;
    this.onDamage();
  }

  private reportDamage(what: string): void {
    this.damage = `a checkpoint was damaged on disk (${what}) and removed, a new one is being made: look after the disk`;
    this.onDamage();
  }

  private begin(prepare: () => Promise<void> = async () => {}): void {
    if (this.making !== null) return;
    this.making = (async () => {
      await prepare();
      await this.make();
    })().finally(() => {
      this.making = null;
    });
    this.making.catch(() => {});
  }

  noteRead(checkpointHash: string): void {
    this.readAt.set(checkpointHash, this.clock.elapsed());
  }

  async settle(): Promise<void> {
    await this.making?.catch(() => {});
  }

  private async make(): Promise<void> {
    this.isWanted = false;
    const snapshot = this.store.snapshot();
    const { header, certificate } = snapshot.block;
    const hash = blockHash(header);
    const name = `draft-${header.height}-${hash.slice(0, 8)}`;
    const draft = { path: join(this.directory, name), height: header.height };
    try {
      await removeCheckpoint(draft.path);
      await mkdir(draft.path, { recursive: true });
      const hashes: string[] = [];
      const writer = new ChunkWriter(async (bytes) => {
        await this.files.writeChunk(draft, hashes.length, bytes);
        hashes.push(sha256Hex(bytes));
      });
      let pairs = 0;
      for (const { key, text } of snapshot.pairs()) {
        await writer.add(encodePair(utf8Bytes(key), utf8Bytes(text)));
        if (++pairs % PAIRS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await writer.end();
      const checkpoint = makeCheckpoint(
        {
          chainId: header.chainId,
          height: header.height,
          stateRoot: header.stateRoot,
          blockHash: hash,
          certificateHash: certificate.certificateHash,
        },
        writer.byteLength,
        hashes,
      );
      await this.files.publish(draft, checkpoint);
      this.finished.push(checkpoint);
      if (!this.isForkPointLost) this.damage = null;
    } catch (error) {
      await removeCheckpoint(draft.path).catch(() => {});
      throw error;
    } finally {
      snapshot.close();
    }
    await this.removeOld();
  }

  private async removeOld(): Promise<void> {
    const since = this.clock.elapsed() - READ_MILLISECONDS;
    const isRead = ({ checkpointHash }: StateCheckpoint): boolean =>
      (this.readAt.get(checkpointHash) ?? Number.NEGATIVE_INFINITY) >= since;
    const older = this.finished.slice(0, -CHECKPOINTS_KEPT);
    const kept = new Set(older.filter(isRead).slice(-CHECKPOINTS_READ));
    const gone = older.filter((checkpoint) => !kept.has(checkpoint));
    this.finished = this.finished.filter((checkpoint) => !gone.includes(checkpoint));
    for (const { checkpointHash } of gone) {
      this.readAt.delete(checkpointHash);
      await removeCheckpoint(join(this.directory, checkpointHash));
    }
  }
}

const CHECKPOINT_FOLDER = /^([0-9a-f]{64}|draft-\d+-[0-9a-f]{8})$/;
const CHECKPOINT_FILE = /^(manifest\.json|chunk-\d+)$/;

async function removeCheckpoint(folder: string): Promise<void> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    throw error;
  }
  const written = names.filter((name) => CHECKPOINT_FILE.test(name));
  for (const name of written) await rm(join(folder, name), { force: true });
  if (written.length === names.length) await rmdir(folder);
}

/** Returns the complete checkpoints in a directory. A running node may remove any of them before you read it. */
export async function checkpointsIn(directory: string): Promise<ForkPointFiles[]> {
  const found: ForkPointFiles[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    const folder = join(directory, name);
    const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
    const checkpoint = manifest === null ? null : checkpointIn(manifest);
    if (checkpoint?.checkpointHash === name) found.push({ directory: folder, checkpoint });
  }
  return found;
}

function checkpointIn(manifest: string): StateCheckpoint | null {
  try {
    const { checkpointHash, ...body } = JSON.parse(manifest) as StateCheckpoint;
    return hashValue(body) === checkpointHash ? { ...body, checkpointHash } : null;
  } catch {
    return null;
  }
}

/** Uses block time, so all nodes agree on the first block of a minute. */
const minuteOf = (timestamp: string): number =>
  Math.floor(Date.parse(timestamp) / MINUTE_MILLISECONDS);

const chunkName = (index: number): string => `chunk-${index}`;
