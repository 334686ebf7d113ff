/** Removes blobs of names without paid or funded work after a day, unless a live record of a holder names them. */
import { text } from 'node:stream/consumers';
import { MAX_DOCUMENT_BYTES } from '@netd/protocol';
import type { DueBlob } from './catalogue.ts';
import { hashesIn, liveHashesOf, requireReady } from './live-records.ts';
import type { BlobService } from './service.ts';

const MAX_BLOBS = 256;
const MAX_NAMES = 16;
const HOLDERS_AT_ONCE = 256;
/** Verdicts are cached for so many milliseconds. */
const MAX_VERDICTS = 4_096;
const VERDICT_TIME = 300_000;
const MAX_DOCUMENTS = 1_000;
/** Milliseconds until the next slice. The short pause follows a full slice. */
const PAUSE = 60_000;
const SHORT_PAUSE = 5_000;
const OWN_SHARE = 'expiry';
/** Milliseconds until a live blob is checked again. */
const LIVE_TIME = 86_400_000;

export class Expiry {
  private readonly service: BlobService;
  private readonly nodeUrl: string;
  private readonly onError: (error: unknown) => void;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;
  private slice: Promise<unknown> = Promise.resolve();
  private readonly verdicts = new Map<string, Verdict>();
  private forgetAt = 0;
  /** `after` is the last holder found not to need the blob. */
  private judged = { hash: '', dueAt: 0, after: '' };

  constructor(service: BlobService, nodeUrl: string, onError: (error: unknown) => void) {
    this.service = service;
    this.nodeUrl = nodeUrl.replace(/\/+$/, '');
    this.onError = onError;
  }

  start(pause = PAUSE): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.slice = this.run().then(
        (isFull) => this.start(isFull ? SHORT_PAUSE : PAUSE),
        (error: unknown) => {
          this.onError(error);
          this.start();
        },
      );
    }, pause).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.slice;
  }

  /**
   * @returns true if more blobs are due
   * @throws Error if the node cannot be asked
   */
  async run(): Promise<boolean> {
    const { catalogue, now } = this.service.parts;
    const due = catalogue.due(now(), MAX_BLOBS);
    if (due.length === 0) return false;
    await requireReady(this.nodeUrl);
    const budget = { names: MAX_NAMES };
    for (const blob of due) {
      if (this.isStopped) return false;
      if (!(await this.settle(blob, budget))) return true;
    }
    if (due.length === MAX_BLOBS) return true;
    this.forget();
    return false;
  }

  /**
   * Judges the holders in as many slices as needed: a bound would let free names keep a blob.
   * @returns false if the slice's names are used up
   */
  private async settle(blob: DueBlob, budget: { names: number }): Promise<boolean> {
    const { catalogue, now } = this.service.parts;
    let after = '';
    if (this.judged.hash === blob.hash && this.judged.dueAt === blob.dueAt)
      ({ after } = this.judged);
    for (;;) {
      const holders = catalogue.holders(blob.hash, after, HOLDERS_AT_ONCE);
      for (const holder of holders) {
        const known = this.verdicts.get(holder);
        if (!known && budget.names === 0) {
          this.judged = { ...blob, after };
          return false;
        }
        if (!known) budget.names -= 1;
        const verdict = known ?? (await this.judge(holder));
        this.remember(holder, verdict);
        if (verdict === 'proven') {
          await catalogue.keep(blob, null);
          return true;
        }
        if (verdict === 'all' || verdict.has(blob.hash)) {
          await catalogue.keep(blob, now() + LIVE_TIME);
          return true;
        }
        after = holder;
      }
      if (holders.length < HOLDERS_AT_ONCE) break;
    }
    await this.service.expire(blob);
    return true;
  }

  private remember(holder: string, verdict: Verdict): void {
    if (this.verdicts.has(holder)) return;
    if (this.verdicts.size >= MAX_VERDICTS || performance.now() > this.forgetAt) this.forget();
    this.verdicts.set(holder, verdict);
  }

  private forget(): void {
    this.verdicts.clear();
    this.forgetAt = performance.now() + VERDICT_TIME;
  }

  private async judge(agentId: string): Promise<Verdict> {
    const { catalogue, storage, work } = this.service.parts;
    if (await work.hasWork(agentId, OWN_SHARE)) return 'proven';
    const live = await liveHashesOf(this.nodeUrl, agentId);
    if (live === null) return 'all';
    // A memory manifest names its chunks, and a scope its inputs.
    const kept = new Set(live);
    let documents = 0;
    for (const hash of live) {
      const blob = catalogue.blob(hash);
      if (!blob || blob.byteLength === 0 || blob.byteLength > MAX_DOCUMENT_BYTES) continue;
      if (++documents > MAX_DOCUMENTS) return 'all';
      const body = await storage.read(hash, { first: 0, last: blob.byteLength - 1 });
      if (!body) continue;
      for (const named of hashesIn(await text(body))) kept.add(named);
    }
    return kept;
  }
}

/** Blobs to keep: the set, all for now, or all for good because the name has work. */
type Verdict = Set<string> | 'all' | 'proven';
