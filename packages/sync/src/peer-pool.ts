/** The peers that a follower asks: how far each is, which are in backoff after a failure, and which are banned for a lie. */
import type { Clock, HealthIssue } from '@netd/engine';
import { OriginFaultError, type Origin, type OriginHead } from './origin.ts';

const FIRST_BACKOFF_MILLISECONDS = 500;
const LONGEST_BACKOFF_MILLISECONDS = 30_000;
/** Longer than a restart takes: an origin that is silent for longer is reported, even while others answer. */
const SILENCE_MILLISECONDS = 60_000;

export interface Peer {
  origin: Origin;
  /** What it said last; null before. */
  head: OriginHead | null;
  /** Whether it is being asked how far it is. */
  isAsked: boolean;
  /** Whether its history is being compared with ours; until that is done its blocks are not used. */
  isCompared: boolean;
  /** Failures since its last answer. */
  failures: number;
  /** The clock's elapsed time at the first of these failures. */
  silentSince: number;
  /** The last failure; null before any. */
  lastError: string | null;
  /** How often it did not deliver blocks that it says it has; lower again after it delivered all. */
  failureScore: number;
  /** It is not asked before this, by the clock's elapsed time. */
  backoffUntil: number;
  /** Why it is not asked any more; null while it is. */
  banned: string | null;
}

type AnsweringOrigin = Peer & { head: OriginHead };

export class PeerPool {
  /** Called whenever one has answered or failed. */
  onAnswer: () => void = () => {};
  readonly all: readonly Peer[];
  private readonly clock: Clock;
  private readonly onBan: (url: string, reason: string) => void;
  /** The height that the furthest reliable one has said last, also after all have fallen silent; null before. */
  lastHeard: number | null = null;

  constructor(
    origins: readonly Origin[],
    clock: Clock,
    onBan: (url: string, reason: string) => void,
  ) {
    this.clock = clock;
    this.onBan = onBan;
    this.all = origins.map((origin) => ({
      origin,
      head: null,
      isAsked: false,
      isCompared: false,
      failures: 0,
      silentSince: 0,
      lastError: null,
      failureScore: 0,
      backoffUntil: 0,
      banned: null,
    }));
  }

  /** Peers that may be asked now. */
  get active(): Peer[] {
    const now = this.clock.elapsed();
    return this.all.filter(({ banned, backoffUntil }) => banned === null && backoffUntil <= now);
  }

  /** Addresses of the active peers, those with fewest failures first. */
  get reachable(): string[] {
    const byFailures = this.active.toSorted((a, b) => a.failures - b.failures);
    return byFailures.map(({ origin }) => origin.url);
  }

  /** The furthest of the most reliable active peers; the first named of several. */
  get furthest(): AnsweringOrigin | null {
    return this.answering()[0] ?? null;
  }

  /**
   * The active peers that claim blocks above a height, the most reliable first: a claimed height is worth no more than what
   * the peer delivers.
   */
  aheadOf(height: number): AnsweringOrigin[] {
    return this.answering().filter(({ head, isCompared }) => head.height > height && !isCompared);
  }

  /** The most reliable first, of these the furthest. */
  private answering(): AnsweringOrigin[] {
    return this.active
      .filter((peer): peer is AnsweringOrigin => peer.head !== null)
      .toSorted((a, b) => a.failureScore - b.failureScore || b.head.height - a.head.height);
  }

  /**
   * Asks all active peers how far they are, each once at a time.
   * @returns when the first of them has answered or failed
   */
  async refresh(signal: AbortSignal): Promise<void> {
    const asked = this.active.filter(({ isAsked }) => !isAsked);
    if (asked.length > 0) await Promise.race(asked.map((peer) => this.ask(peer, signal)));
  }

  private async ask(peer: Peer, signal: AbortSignal): Promise<void> {
    peer.isAsked = true;
    try {
      const head = await peer.origin.head(signal);
      if (peer.banned !== null) return;
      peer.head = head;
      peer.failures = 0;
      this.lastHeard = this.furthest?.head.height ?? this.lastHeard;
    } catch (error) {
      if (!signal.aborted) this.fail(peer, error);
    } finally {
      peer.isAsked = false;
      this.onAnswer();
    }
  }

  /** Puts a peer into backoff, or bans it if no honest node gives such an answer. */
  fail(peer: Peer, error: unknown): void {
    if (error instanceof OriginFaultError) {
      this.ban(peer, error.message);
      return;
    }
    peer.head = null;
    // A peer that answers and does not deliver is in backoff longer and longer, as long as there is another one.
    const isAlone = this.active.every((other) => other === peer);
    const times = isAlone ? peer.failures : Math.max(peer.failures, peer.failureScore);
    const backoff = Math.min(LONGEST_BACKOFF_MILLISECONDS, FIRST_BACKOFF_MILLISECONDS * 2 ** times);
    if (peer.failures === 0) peer.silentSince = this.clock.elapsed();
    peer.failures++;
    peer.lastError = error instanceof Error ? error.message : String(error);
    peer.backoffUntil = this.clock.elapsed() + backoff;
  }

  /** It is not asked again while this follower runs. */
  ban(peer: Peer, reason: string): void {
    if (peer.banned !== null) return;
    peer.banned = reason;
    peer.head = null;
    this.onBan(peer.origin.url, reason);
  }

  /** How many are active, in backoff after a failure, and banned. */
  get standing(): { active: number; backoff: number; banned: number } {
    const active = this.active.length;
    const banned = this.all.filter(({ banned: reason }) => reason !== null).length;
    return { active, backoff: this.all.length - active - banned, banned };
  }

  faults(): string[] {
    return this.issues().map(({ text }) => text);
  }

  /** What an operator ought to know of them. */
  issues(): HealthIssue[] {
    const banned = this.all.flatMap(({ origin: { url }, banned: reason }): HealthIssue[] =>
      reason === null
        ? []
        : [
            {
              kind: 'origin-banned',
              subject: url,
              text: `${url} is not asked any more: ${reason}`,
            },
          ],
    );
    const silent = this.all.filter(
      ({ failures, banned: reason }) => reason === null && failures > 0,
    );
    if (banned.length + silent.length === this.all.length) {
      const again = [
        `${silent.length} ${silent.length === 1 ? 'is' : 'are'} tried again`,
        ...silent.map(lastErrorOf),
      ].join('; ');
      const text = `no origin answers: this follower does not grow (${again})`;
      return [...banned, { kind: 'no-origin', text }];
    }
    const now = this.clock.elapsed();
    const gone = silent.filter(({ silentSince }) => now - silentSince >= SILENCE_MILLISECONDS);
    return [
      ...banned,
      ...gone.map((peer): HealthIssue => ({
        kind: 'origin-silent',
        subject: peer.origin.url,
        text: `an origin has not answered for more than a minute, and is tried again: ${lastErrorOf(peer)}`,
      })),
    ];
  }
}

/** With its address. */
function lastErrorOf({ origin: { url }, lastError }: Peer): string {
  return lastError?.includes(url) === true ? lastError : `${url}: ${lastError}`;
}
