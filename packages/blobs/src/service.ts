import { createHash, randomUUID } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Catalogue,
  type DueBlob,
  secondsLeftToday,
  type Upload,
  type UsedSignature,
} from './catalogue.ts';
import { BlobError } from './errors.ts';
import type { ReachFailpoint } from './failpoints.ts';
import { MIN_CHARGE_BYTES, type BlobLimits } from './limits.ts';
import type { BlobStorage } from './storage/storage.ts';
import type { WorkDirectory } from './work-directory.ts';
import { Transfers, type TransferSlot, type Progress, type TransferLimits } from './transfers.ts';

export interface ServiceParts {
  catalogue: Catalogue;
  storage: BlobStorage;
  limits: BlobLimits;
  work: WorkDirectory;
  /** Directory on the blobs' file system. */
  incoming: string;
  now: () => number;
  reach: ReachFailpoint;
}

/** Names of files in `incoming`. */
const UPLOAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type PutResult = 'created' | 'held';

export class BlobService {
  readonly parts: ServiceParts;
  private readonly uploads: Transfers;
  private readonly uploadsOf = new Map<string, number>();
  /** The last work on each hash, after which the next one starts. */
  private readonly busy = new Map<string, Promise<unknown>>();
  /** Work in progress, which may outlive its connection. */
  private readonly underWay = new Set<Promise<unknown>>();
  private isStopped = false;
  private expiredBlobs = 0;

  private constructor(parts: ServiceParts) {
    this.parts = parts;
    this.uploads = new Transfers('uploads', 'UPLOAD_TIMEOUT', uploadLimits(parts.limits));
  }

  static async start(parts: ServiceParts): Promise<BlobService> {
    const { catalogue, storage, incoming } = parts;
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    for (const name of await readdir(incoming)) {
      if (UPLOAD_ID.test(name)) await rm(join(incoming, name), { force: true });
    }
    for (const { id, hash, recorded } of catalogue.pending()) {
      if (!recorded) await storage.remove(hash);
      await catalogue.release(id);
    }
    return new BlobService(parts);
  }

  get uploadsUnderWay(): number {
    return this.uploads.underWay;
  }

  get expired(): number {
    return this.expiredBlobs;
  }

  /**
   * Stores a blob, which becomes visible once it is complete, durable and recorded.
   * @throws BlobError
   */
  put(
    hash: string,
    byteLength: number,
    upload: IncomingUpload,
    signature: UsedSignature,
  ): Promise<PutResult> {
    return this.untilStop(() => this.take(hash, byteLength, upload, signature));
  }

  /**
   * Keeps a blob for good that the operator provides.
   * @param agentId its owner from then on
   * @throws BlobError HASH_MISMATCH, STORAGE_FULL, QUOTA_EXCEEDED
   */
  keep(hash: string, bytes: Uint8Array, agentId: string): Promise<void> {
    return this.untilStop(async () => {
      const { catalogue, now } = this.parts;
      if (catalogue.holds(hash, agentId)) return;
      const id = randomUUID();
      const upload = { id, hash, agentId, byteLength: bytes.length, isUnproven: false };
      const expires = Math.ceil(now() / 1_000);
      const body = new UploadBody(Readable.from([Buffer.from(bytes)]));
      await this.store(upload, body, { keyId: agentId, nonce: id, expires });
    });
  }

  private async take(
    hash: string,
    byteLength: number,
    upload: IncomingUpload,
    signature: UsedSignature,
  ): Promise<PutResult> {
    const { catalogue, limits, work } = this.parts;
    const agentId = agentOf(signature);
    const own = this.uploadsOf.get(agentId) ?? 0;
    if (own >= limits.uploadsOfAgent) {
      const message = `${agentId} has ${own} uploads under way, and an agent may have no more`;
      throw new BlobError('BUSY', 1, message);
    }
    const body = new UploadBody(upload.body);
    const slot = this.uploads.begin(upload.share, body);
    body.slot = slot;
    this.uploadsOf.set(agentId, own + 1);
    try {
      if (catalogue.holds(hash, agentId)) {
        await this.receive(body, hash, byteLength, null);
        // Otherwise an observer could replay the signature and undo a later removal.
        await catalogue.renew(hash, signature, this.parts.now());
        return 'held';
      }
      if (catalogue.wasUsed(signature)) throw new BlobError('NONCE_REPLAYED');
      // A holder with work makes a blob count as proven for good.
      const isUnproven = !(await work.hasWork(agentId, upload.share));
      if (isUnproven && !(await work.hasPaidName(agentId, upload.share))) {
        const message = `${agentId} did not pay for its name when it registered, and names cost something on this network`;
        throw new BlobError('UNPROVEN_STORAGE_FULL', null, message);
      }
      const whole = { id: randomUUID(), hash, agentId, byteLength, isUnproven };
      return await this.store(whole, body, signature);
    } finally {
      slot.end();
      const left = (this.uploadsOf.get(agentId) ?? 1) - 1;
      if (left === 0) this.uploadsOf.delete(agentId);
      else this.uploadsOf.set(agentId, left);
    }
  }

  get hasRoom(): boolean {
    const { catalogue, incoming, limits } = this.parts;
    return (
      catalogue.totals().bytes + MIN_CHARGE_BYTES <= limits.storageBytes &&
      leavesFree(incoming, limits.freeBytes + MIN_CHARGE_BYTES)
    );
  }

  /** Bytes for names without work, which a small disk may limit further. */
  get unprovenCapacity(): number {
    const { catalogue, incoming, limits, storage } = this.parts;
    const { storageBytes, unprovenBytes, freeBytes } = limits;
    if (storage.kind !== 'disk') return unprovenBytes;
    const left = freeOf(incoming) - freeBytes;
    const capacity = Math.min(storageBytes, catalogue.totals().bytes + Math.max(0, left));
    return Math.floor((unprovenBytes / storageBytes) * capacity);
  }

  private unprovenFull(agentId: string): BlobError {
    const { catalogue, limits } = this.parts;
    const own = catalogue.unprovenBytes(agentId);
    const message = `${agentId} has ${own} of the ${limits.unprovenBytesOfAgent} bytes that such a name may have, and all of them together ${catalogue.unprovenBytes()} of ${this.unprovenCapacity}`;
    return new BlobError('UNPROVEN_STORAGE_FULL', null, message);
  }

  /**
   * Removes a due blob. Call it if no live record names the blob.
   * @returns false if it was stored again or got another holder
   */
  expire(due: DueBlob): Promise<boolean> {
    const { catalogue, storage, now, reach } = this.parts;
    return this.untilStop(() =>
      this.alone(due.hash, async () => {
        const id = randomUUID();
        if (!(await catalogue.expire(due, id, now()))) return false;
        reach('removal.recorded');
        await storage.remove(due.hash);
        await catalogue.removed(id);
        this.expiredBlobs += 1;
        return true;
      }),
    );
  }

  remove(hash: string, signature: UsedSignature): Promise<void> {
    return this.untilStop(() => this.drop(hash, signature));
  }

  private async drop(hash: string, signature: UsedSignature): Promise<void> {
    const { catalogue, storage, now, reach } = this.parts;
    const id = randomUUID();
    await this.alone(hash, async () => {
      const removal = { id, hash, agentId: agentOf(signature) };
      switch (await catalogue.drop(removal, signature, now())) {
        case 'replayed':
          throw new BlobError('NONCE_REPLAYED');
        case 'absent':
          throw new BlobError('BLOB_NOT_FOUND');
        case 'foreign':
          throw new BlobError('NOT_HELD');
        case 'others':
          return;
        case 'last':
          reach('removal.recorded');
          await storage.remove(hash);
          await catalogue.removed(id);
      }
    });
  }

  private async store(
    upload: Upload,
    body: UploadBody,
    signature: UsedSignature,
  ): Promise<PutResult> {
    const { catalogue, storage, incoming, now, reach, limits } = this.parts;
    const { id, hash, byteLength } = upload;
    if (!leavesFree(incoming, limits.freeBytes + byteLength)) throw new BlobError('STORAGE_FULL');
    const reserved = await catalogue
      .reserve(upload, now(), this.unprovenCapacity)
      .catch(asStorageFull);
    if (reserved === 'unproven-full') throw this.unprovenFull(upload.agentId);
    if (reserved === 'quota') throw new BlobError('QUOTA_EXCEEDED', secondsLeftToday(now()));
    if (reserved === 'full') throw new BlobError('STORAGE_FULL');
    const path = join(incoming, id);
    try {
      reach('upload.reserved');
      await this.receive(body, hash, byteLength, path).catch(asStorageFull);
      reach('upload.received');
      const result = await this.alone(hash, async () => {
        await storage.adopt(path, hash, byteLength).catch(asStorageFull);
        reach('upload.adopted');
        const committed = await catalogue.commit(upload, signature, now()).catch(asStorageFull);
        if (committed === 'replayed' && !catalogue.blob(hash)) await storage.remove(hash);
        return committed;
      });
      reach('upload.recorded');
      if (result === 'replayed') throw new BlobError('NONCE_REPLAYED');
      return result;
    } catch (error) {
      await rm(path, { force: true });
      // The next start repeats a failed release.
      await catalogue.release(id).catch(() => {});
      throw error;
    }
  }

  /**
   * Writes the body to a durable file.
   * @throws BlobError UPLOAD_TIMEOUT, REQUEST_INVALID, HASH_MISMATCH
   */
  private async receive(
    body: UploadBody,
    hash: string,
    byteLength: number,
    path: string | null,
  ): Promise<void> {
    const { limits, reach } = this.parts;
    const digest = createHash('sha256');
    const file = path === null ? null : await open(path, 'wx', 0o600);
    let length = 0;
    try {
      // One chunk at a time, for backpressure.
      for await (const chunk of body.chunks(limits.idleTimeout)) {
        length += chunk.length;
        digest.update(chunk);
        await file?.appendFile(chunk);
        reach('upload.receiving');
      }
      if (length !== byteLength) throw new BlobError('REQUEST_INVALID');
      if (digest.digest('hex') !== hash) throw new BlobError('HASH_MISMATCH');
      await file?.sync();
    } finally {
      await file?.close();
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled(this.underWay);
  }

  /** @throws BlobError BUSY after the stop */
  private async untilStop<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isStopped) throw new BlobError('BUSY', 1, 'This store is being stopped');
    const done = work();
    this.underWay.add(done);
    try {
      return await done;
    } finally {
      this.underWay.delete(done);
    }
  }

  private async alone<Result>(hash: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.busy.get(hash) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.busy.set(hash, turn);
    try {
      return await turn;
    } finally {
      if (this.busy.get(hash) === turn) this.busy.delete(hash);
    }
  }
}

export interface IncomingUpload {
  body: Readable;
  share: string;
}

function uploadLimits(limits: BlobLimits): TransferLimits {
  const { uploads: most, uploadsOfAddress: ofAddress, transferRate: rate } = limits;
  return { most, ofAddress, rate, grace: limits.transferGrace, pressedGrace: limits.pressedGrace };
}

class UploadBody implements Progress {
  slot: TransferSlot | null = null;
  private readonly body: Readable;
  private length = 0;
  private waits = false;

  constructor(body: Readable) {
    this.body = body;
  }

  bytes(): number {
    return this.length;
  }

  isWaiting(): boolean {
    return this.waits;
  }

  /** Yields chunks and throws after a long pause. Leaves the stream open for the answer. */
  async *chunks(idleMilliseconds: number): AsyncGenerator<Buffer> {
    const { body } = this;
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    const cut = Promise.withResolvers<never>();
    cut.promise.catch(() => {});
    const signal = this.slot?.signal;
    const onAbort = (): void => cut.reject(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort);
    try {
      for (;;) {
        const idle = Promise.withResolvers<never>();
        const timer = setTimeout(
          () => idle.reject(new BlobError('UPLOAD_TIMEOUT')),
          idleMilliseconds,
        );
        this.waits = true;
        try {
          const next = await Promise.race([brokenOff(chunks.next()), idle.promise, cut.promise]);
          if (next.done === true) return;
          this.length += next.value.length;
          this.waits = false;
          yield next.value;
        } finally {
          clearTimeout(timer);
          this.waits = false;
        }
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      // Not awaited, because it may never end.
      void chunks.return?.().then(() => body.resume());
    }
  }
}

async function brokenOff<Result>(next: Promise<Result>): Promise<Result> {
  try {
    return await next;
  } catch {
    throw new BlobError('REQUEST_INVALID');
  }
}

function agentOf({ keyId }: UsedSignature): string {
  return keyId.split('/')[0] ?? keyId;
}

/** True also if the file system reports no size. */
const leavesFree = (path: string, least: number): boolean => freeOf(path) >= least;

function freeOf(path: string): number {
  const { blocks, bavail, bsize } = statfsSync(path);
  return blocks === 0 ? Infinity : bavail * bsize;
}

const FULL = /ENOSPC|EDQUOT|EFBIG|MDB_MAP_FULL|no space|too large/i;

function asStorageFull(error: unknown): never {
  if (!(error instanceof BlobError) && FULL.test((error as Error).message)) {
    throw new BlobError('STORAGE_FULL');
  }
  throw error;
}
