/**
 * What is stored, who holds it, who has uploaded how much today: counters in a small database, so that nothing is ever
 * counted by walking the files. An upload reserves its place before a byte of it is taken, and a crash at any point
 * leaves a pending entry that the next start settles.
 */
import { open, type Database, type RootDatabase } from 'lmdb';
import { MIN_CHARGE_BYTES, type BlobLimits } from './limits.ts';

export interface BlobRecord {
  byteLength: number;
  /** Milliseconds since 1970. */
  storedAt: number;
}

export interface Upload {
  id: string;
  hash: string;
  agentId: string;
  byteLength: number;
}

/** A signature that was used, until it expires by itself. */
export interface UsedSignature {
  /** Names the key that signed: an agent's id, or `<agent id>/<session id>`. */
  keyId: string;
  nonce: string;
  /** Seconds since 1970. */
  expires: number;
}

/** An upload or removal that is under way: its bytes may lie there without being recorded, or may have to go. */
interface Pending {
  kind: 'upload' | 'removal';
  hash: string;
  agentId: string;
  /** Bytes by which the room of the store shrinks; `charge`: bytes that count against the agent's day. */
  room: number;
  charge: number;
  day: string;
}

export interface Totals {
  /** Bytes stored and reserved. */
  bytes: number;
  blobs: number;
}

type Key = [string, ...(string | number)[]];

/** Entries of the past that one write clears away at most. */
const SWEEP = 64;
const LAST = '\u{FFFF}';

export class Catalogue {
  private readonly root: RootDatabase;
  private readonly records: Database<unknown, Key>;
  private readonly limits: BlobLimits;

  private constructor(root: RootDatabase, limits: BlobLimits) {
    this.root = root;
    this.records = root as unknown as Database<unknown, Key>;
    this.limits = limits;
  }

  static open(path: string, limits: BlobLimits): Catalogue {
    const root = open({
      path,
      encoding: 'json',
      // A commit resolves only when it is on disk.
      overlappingSync: false,
      eventTurnBatching: false,
    });
    return new Catalogue(root, limits);
  }

  close(): Promise<void> {
    return this.root.close();
  }

  blob(hash: string): BlobRecord | null {
    return this.get(['blob', hash]) as BlobRecord | null;
  }

  holds(hash: string, agentId: string): boolean {
    return this.get(['hold', hash, agentId]) !== null;
  }

  totals(): Totals {
    return (this.get(['totals']) as Totals | null) ?? { bytes: 0, blobs: 0 };
  }

  wasUsed({ expires, keyId, nonce }: UsedSignature): boolean {
    return this.get(['nonce', expires, keyId, nonce]) !== null;
  }

  /** The signature has done what it could: it is not taken for anything else. */
  async spend(signature: UsedSignature, now: number): Promise<void> {
    await this.root.transaction(() => this.use(signature, now));
  }

  /** Sets room and quota aside before the bytes come. */
  async reserve(upload: Upload, now: number): Promise<'reserved' | 'quota' | 'full'> {
    const { id, hash, agentId, byteLength } = upload;
    const day = dayOf(now);
    const charge = Math.max(byteLength, MIN_CHARGE_BYTES);
    return this.root.transaction(() => {
      const used = this.usage(day, agentId);
      if (used + charge > this.limits.dailyBytes) return 'quota';
      const totals = this.totals();
      const room = this.blob(hash) ? 0 : charge;
      if (totals.bytes + room > this.limits.storageBytes) return 'full';
      this.put(['usage', day, agentId], used + charge);
      this.put(['totals'], { ...totals, bytes: totals.bytes + room });
      const pending: Pending = { kind: 'upload', hash, agentId, room, charge, day };
      this.put(['pending', id], pending);
      this.sweep(['usage'], ['usage', day]);
      return 'reserved';
    });
  }

  /** The bytes lie where they belong: from now on they are there. */
  async commit(
    { id, hash, agentId, byteLength }: Upload,
    signature: UsedSignature,
    now: number,
  ): Promise<'created' | 'held' | 'replayed'> {
    return this.root.transaction(() => {
      const pending = this.get(['pending', id]) as Pending | null;
      if (!pending) throw new Error(`upload ${id} has no reservation`);
      if (this.wasUsed(signature)) return 'replayed';
      this.use(signature, now);
      this.records.removeSync(['pending', id]);
      this.put(['hold', hash, agentId], { storedAt: now });
      const totals = this.totals();
      const known = this.blob(hash) !== null;
      if (known) {
        // Another upload was faster: the room is counted once.
        this.put(['totals'], { ...totals, bytes: totals.bytes - pending.room });
        return 'held';
      }
      const room = Math.max(byteLength, MIN_CHARGE_BYTES);
      const bytes = totals.bytes - pending.room + room;
      this.put(['totals'], { bytes, blobs: totals.blobs + 1 });
      this.put(['blob', hash], { byteLength, storedAt: now });
      return 'created';
    });
  }

  /** The upload came to nothing: its room and its quota are given back. */
  async release(id: string): Promise<void> {
    await this.root.transaction(() => {
      const pending = this.get(['pending', id]) as Pending | null;
      if (!pending) return;
      this.records.removeSync(['pending', id]);
      const { agentId, day, charge, room } = pending;
      const totals = this.totals();
      this.put(['totals'], { ...totals, bytes: totals.bytes - room });
      const used = this.usage(day, agentId);
      this.put(['usage', day, agentId], Math.max(0, used - charge));
    });
  }

  /**
   * Gives up a hold.
   * @param id of what is pending where the bytes have to go now
   * @returns `last` if the blob has no holder any more: remove the bytes, then call `removed`
   */
  async drop(
    { id, hash, agentId }: { id: string; hash: string; agentId: string },
    signature: UsedSignature,
    now: number,
  ): Promise<'last' | 'others' | 'absent' | 'foreign' | 'replayed'> {
    return this.root.transaction(() => {
      if (this.wasUsed(signature)) return 'replayed';
      const blob = this.blob(hash);
      if (!blob) return 'absent';
      if (!this.holds(hash, agentId)) return 'foreign';
      this.use(signature, now);
      this.records.removeSync(['hold', hash, agentId]);
      for (const _ of this.range(['hold', hash], ['hold', hash, LAST], 1)) return 'others';
      this.records.removeSync(['blob', hash]);
      const { bytes, blobs } = this.totals();
      const room = Math.max(blob.byteLength, MIN_CHARGE_BYTES);
      this.put(['totals'], { bytes: bytes - room, blobs: blobs - 1 });
      const pending: Pending = {
        kind: 'removal',
        hash,
        agentId,
        room: 0,
        charge: 0,
        day: dayOf(now),
      };
      this.put(['pending', id], pending);
      return 'last';
    });
  }

  async removed(id: string): Promise<void> {
    await this.root.transaction(() => this.records.removeSync(['pending', id]));
  }

  /** What a process that died had under way: as much as fits into its limits, never more. */
  pending(): { id: string; hash: string; recorded: boolean }[] {
    return this.range(['pending'], ['pending', LAST]).map((key) => {
      const { hash } = this.get(key) as Pending;
      return { id: String(key[1]), hash, recorded: this.blob(hash) !== null };
    });
  }

  private usage(day: string, agentId: string): number {
    return (this.get(['usage', day, agentId]) as number | null) ?? 0;
  }

  private use({ expires, keyId, nonce }: UsedSignature, now: number): void {
    this.put(['nonce', expires, keyId, nonce], true);
    // Those that have expired are refused for that.
    this.sweep(['nonce'], ['nonce', Math.floor(now / 1_000) - 3_600]);
  }

  private sweep(start: Key, end: Key): void {
    for (const key of this.range(start, end, SWEEP)) this.records.removeSync(key);
  }

  private range(start: Key, end: Key, limit?: number): Key[] {
    return [...this.records.getKeys({ start, end, ...(limit === undefined ? {} : { limit }) })];
  }

  private get(key: Key): unknown {
    return this.records.get(key) ?? null;
  }

  private put(key: Key, value: unknown): void {
    this.records.putSync(key, value);
  }
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Seconds until the day of the quota is over. */
export function secondsLeftToday(now: number): number {
  return Math.ceil((86_400_000 - (now % 86_400_000)) / 1_000);
}
