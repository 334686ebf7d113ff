/**
 * Removes blobs of names without paid or funded work a day after they were stored, unless a live record of a
 * holder names them. Works in slices: each asks the node about a few names, and removes nothing if the node is
 * away or refuses.
 */
import { text } from 'node:stream/consumers';
import { MAX_DOCUMENT_BYTES } from '@netd/protocol';
import { MAX_HOLDERS, type DueBlob } from './catalogue.ts';
import { hashesIn, liveHashesOf, requireReady } from './live-records.ts';
import type { BlobService } from './service.ts';

/** Limits of a slice. */
const MAX_BLOBS = 256;
const MAX_NAMES = 16;
/** Most documents of a name to search for further blobs. */
const MAX_DOCUMENTS = 1_000;
/** Milliseconds until the next slice, and after a full slice. */
const PAUSE = 60_000;
const SHORT_PAUSE = 5_000;
/** The share of these lookups; no address has this name. */
const OWN_SHARE = 'expiry';
/** Milliseconds until a blob named by a live record is checked again. */
const LIVE_TIME = 86_400_000;

export class Expiry {
  private readonly service: BlobService;
  private readonly nodeUrl: string;
  private readonly onError: (error: unknown) => void;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;
  private slice: Promise<unknown> = Promise.resolve();

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

  /** Resolves when the slice in flight has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.slice;
  }

  /**
   * Checks the due blobs.
   * @returns true if more are due
   * @throws Error if the node cannot be asked; then nothing more is removed
   */
  async run(): Promise<boolean> {
    const { catalogue, now } = this.service.parts;
    const due = catalogue.due(now(), MAX_BLOBS);
    if (due.length === 0) return false;
    await requireReady(this.nodeUrl);
    const verdicts = new Map<string, Verdict>();
    for (const blob of due) {
      if (this.isStopped) return false;
      const unknown = blob.holders.filter((holder) => !verdicts.has(holder));
      if (blob.holders.length > MAX_HOLDERS) {
        await catalogue.keep(blob, now() + LIVE_TIME);
        continue;
      }
      if (verdicts.size > 0 && verdicts.size + unknown.length > MAX_NAMES) return true;
      for (const holder of unknown) verdicts.set(holder, await this.judge(holder));
      await this.settle(
        blob,
        blob.holders.map((holder) => verdicts.get(holder) ?? 'all'),
      );
    }
    return due.length === MAX_BLOBS;
  }

  private async settle(blob: DueBlob, verdicts: Verdict[]): Promise<void> {
    const { catalogue, now } = this.service.parts;
    if (verdicts.includes('proven')) await catalogue.keep(blob, null);
    else if (verdicts.some((live) => live === 'all' || (live as Set<string>).has(blob.hash))) {
      await catalogue.keep(blob, now() + LIVE_TIME);
    } else await this.service.expire(blob);
  }

  private async judge(agentId: string): Promise<Verdict> {
    const { catalogue, storage, work } = this.service.parts;
    if (await work.hasWork(agentId, OWN_SHARE)) return 'proven';
    const live = await liveHashesOf(this.nodeUrl, agentId);
    if (live === null) return 'all';
    // A memory manifest names its chunks, a scope its inputs.
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

/** Blobs to keep for a name: the set, all for now, or all for good because it has work. */
type Verdict = Set<string> | 'all' | 'proven';
