/** The database of blobs, holders and daily uploads. An upload reserves its space before any byte is accepted. */
import { open, type Database, type RootDatabase } from 'lmdb';
import { MIN_CHARGE_BYTES, type BlobLimits } from './limits.ts';

export interface BlobRecord {
  byteLength: number;
  /** Milliseconds since 1970. */
  storedAt: number;
  /** Set while the blob counts against a name without paid or funded work. */
  unproven?: UnprovenCharge;
}

interface UnprovenCharge {
  /** The holder that stored the blob first. */
  agentId: string;
  /** Milliseconds since 1970. */
  dueAt: number;
}

export interface Upload {
  id: string;
  hash: string;
  agentId: string;
  byteLength: number;
  isUnproven: boolean;
}

export interface UsedSignature {
  /** `<agent id>` or `<agent id>/<session id>`. */
  keyId: string;
  nonce: string;
  /** Seconds since 1970. */
  expires: number;
}

/** Work in flight: the blob's bytes may exist without a record, or may have to be removed. */
interface Pending {
  kind: 'upload' | 'removal';
  hash: string;
  agentId: string;
  /** `room` is the reserved bytes; `charge` counts against the agent's day. */
  room: number;
  charge: number;
  day: string;
  isUnproven?: boolean;
}

export interface Totals {
  /** Includes reserved bytes. */
  bytes: number;
  blobs: number;
}

/** A blob due for removal. Another upload of it postpones the removal. */
export interface DueBlob {
  hash: string;
  dueAt: number;
}

type Key = [string, ...(string | number)[]];

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

  /** Returns stored and reserved bytes of names without paid or funded work. */
  unprovenBytes(agentId?: string): number {
    return (this.get(unprovenKey(agentId)) as number | null) ?? 0;
  }

  /** @param unprovenBytes limit for all names without paid or funded work */
  async reserve(
    upload: Upload,
    now: number,
    unprovenBytes = this.limits.unprovenBytes,
  ): Promise<'reserved' | 'quota' | 'full' | 'unproven-full'> {
    const { id, hash, agentId, byteLength, isUnproven } = upload;
    const day = dayOf(now);
    const charge = Math.max(byteLength, MIN_CHARGE_BYTES);
    return this.root.transaction(() => {
      const used = this.usage(day, agentId);
      if (used + charge > this.limits.dailyBytes) return 'quota';
      const totals = this.totals();
      const room = this.blob(hash) ? 0 : charge;
      if (totals.bytes + room > this.limits.storageBytes) return 'full';
      if (isUnproven && room > 0) {
        const ofAgent = this.unprovenBytes(agentId) + room;
        if (ofAgent > this.limits.unprovenBytesOfAgent) return 'unproven-full';
        if (this.unprovenBytes() + room > unprovenBytes) return 'unproven-full';
        this.addUnproven(agentId, room);
      } else if (!isUnproven) this.prove(agentId);
      this.put(['usage', day, agentId], used + charge);
      this.put(['totals'], { ...totals, bytes: totals.bytes + room });
      const pending: Pending = { kind: 'upload', hash, agentId, room, charge, day, isUnproven };
      this.put(['pending', id], pending);
      this.sweep(['usage'], ['usage', day]);
      return 'reserved';
    });
  }

  /** Call it when the bytes are in place. */
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
      const isUnproven = pending.isUnproven === true;
      if (isUnproven) this.addUnproven(agentId, -pending.room);
      const known = this.blob(hash);
      if (known) {
        this.put(['totals'], { ...totals, bytes: totals.bytes - pending.room });
        this.holdUnproven(hash, known, isUnproven ? now : null);
        return 'held';
      }
      const bytes = totals.bytes - pending.room + roomOf({ byteLength });
      this.put(['totals'], { bytes, blobs: totals.blobs + 1 });
      const dueAt = now + this.limits.unprovenTime;
      this.putBlob(hash, {
        byteLength,
        storedAt: now,
        ...(isUnproven ? { unproven: { agentId, dueAt } } : {}),
      });
      return 'created';
    });
  }

  async release(id: string): Promise<void> {
    await this.root.transaction(() => {
      const pending = this.get(['pending', id]) as Pending | null;
      if (!pending) return;
      this.records.removeSync(['pending', id]);
      const { agentId, day, charge, room } = pending;
      if (pending.isUnproven === true) this.addUnproven(agentId, -room);
      const totals = this.totals();
      this.put(['totals'], { ...totals, bytes: totals.bytes - room });
      const used = this.usage(day, agentId);
      this.put(['usage', day, agentId], Math.max(0, used - charge));
    });
  }

  /**
   * @param id of the pending entry if the bytes must go
   * @returns `last` if no holder is left: remove the bytes, then call `removed`
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
      const [next] = this.holders(hash, '', 1);
      if (next !== undefined) {
        if (blob.unproven?.agentId === agentId) {
          this.putBlob(hash, { ...blob, unproven: { ...blob.unproven, agentId: next } });
        }
        return 'others';
      }
      this.forget(hash, blob, { id, agentId, now });
      return 'last';
    });
  }

  async renew(hash: string, signature: UsedSignature, now: number): Promise<void> {
    await this.root.transaction(() => {
      this.use(signature, now);
      const blob = this.blob(hash);
      if (blob) this.holdUnproven(hash, blob, now);
    });
  }

  due(now: number, limit: number): DueBlob[] {
    const keys = this.range(['due'], ['due', now], limit);
    return keys.map((key) => ({ hash: String(key[2]), dueAt: Number(key[1]) }));
  }

  /** @param nextAt null keeps the blob for good because a holder has work */
  async keep({ hash, dueAt }: DueBlob, nextAt: number | null): Promise<void> {
    await this.root.transaction(() => {
      const blob = this.blob(hash);
      if (blob?.unproven?.dueAt !== dueAt) return;
      const { unproven, ...rest } = blob;
      this.putBlob(
        hash,
        nextAt === null ? rest : { ...blob, unproven: { ...unproven, dueAt: nextAt } },
      );
    });
  }

  /**
   * @param id of the pending entry until the bytes are gone
   * @returns false if the blob was stored again or got another holder
   */
  async expire({ hash, dueAt }: DueBlob, id: string, now: number): Promise<boolean> {
    return this.root.transaction(() => {
      const blob = this.blob(hash);
      if (blob?.unproven?.dueAt !== dueAt) return false;
      for (const key of this.range(['hold', hash], ['hold', hash, LAST])) {
        this.records.removeSync(key);
      }
      this.forget(hash, blob, { id, agentId: blob.unproven.agentId, now });
      return true;
    });
  }

  private forget(
    hash: string,
    blob: BlobRecord,
    { id, agentId, now }: { id: string; agentId: string; now: number },
  ): void {
    this.putBlob(hash, null);
    const { bytes, blobs } = this.totals();
    this.put(['totals'], { bytes: bytes - roomOf(blob), blobs: blobs - 1 });
    const pending: Pending = {
      kind: 'removal',
      hash,
      agentId,
      room: 0,
      charge: 0,
      day: dayOf(now),
    };
    this.put(['pending', id], pending);
  }

  holders(hash: string, after: string, limit: number): string[] {
    const keys = this.range(['hold', hash, after], ['hold', hash, LAST], limit + 1);
    const names = keys.map((key) => String(key[2])).filter((name) => name !== after);
    return names.slice(0, limit);
  }

  /** @param now null if a name with work holds the bytes from now on */
  private holdUnproven(hash: string, blob: BlobRecord, now: number | null): void {
    if (!blob.unproven) return;
    const { unproven, ...rest } = blob;
    const dueAt = (now ?? 0) + this.limits.unprovenTime;
    this.putBlob(hash, now === null ? rest : { ...blob, unproven: { ...unproven, dueAt } });
  }

  /** Clears the charge for a few of the agent's blobs at a time. */
  private prove(agentId: string): void {
    for (const key of this.range(['unproven', agentId], ['unproven', agentId, LAST], SWEEP)) {
      const hash = String(key[2]);
      const blob = this.blob(hash);
      if (blob) this.holdUnproven(hash, blob, null);
    }
  }

  private putBlob(hash: string, blob: BlobRecord | null): void {
    const before = this.blob(hash);
    if (before?.unproven) {
      const { agentId, dueAt } = before.unproven;
      this.records.removeSync(['due', dueAt, hash]);
      this.records.removeSync(['unproven', agentId, hash]);
      this.addUnproven(agentId, -roomOf(before));
    }
    if (blob === null) this.records.removeSync(['blob', hash]);
    else this.put(['blob', hash], blob);
    if (blob?.unproven) {
      const { agentId, dueAt } = blob.unproven;
      this.put(['due', dueAt, hash], true);
      this.put(['unproven', agentId, hash], true);
      this.addUnproven(agentId, roomOf(blob));
    }
  }

  private addUnproven(agentId: string, change: number): void {
    for (const key of [unprovenKey(), unprovenKey(agentId)]) {
      const bytes = ((this.get(key) as number | null) ?? 0) + change;
      if (bytes > 0) this.put(key, bytes);
      else this.records.removeSync(key);
    }
  }

  async removed(id: string): Promise<void> {
    await this.root.transaction(() => this.records.removeSync(['pending', id]));
  }

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
    // Expired signatures are refused anyway.
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

const unprovenKey = (agentId?: string): Key =>
  agentId === undefined ? ['unproven-bytes'] : ['unproven-bytes', agentId];

const roomOf = ({ byteLength }: Pick<BlobRecord, 'byteLength'>): number =>
  Math.max(byteLength, MIN_CHARGE_BYTES);

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

export function secondsLeftToday(now: number): number {
  return Math.ceil((86_400_000 - (now % 86_400_000)) / 1_000);
}
